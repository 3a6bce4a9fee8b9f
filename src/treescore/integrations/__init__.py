"""Other libraries' trees and habits, recognised by shape: nothing is imported until it is there."""
