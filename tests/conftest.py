"""Set-up for all tests: hypothesis always draws the same examples and has no deadline.

Tests marked `long` take the larger profile: `@pytest.mark.long` and `@settings.get_profile("long")`.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

os.environ["TREESCORE_MEMORY"] = "2G"  # the same on all machines
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in processes that a shell starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

_ALWAYS = settings(
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.large_base_example,
        HealthCheck.function_scoped_fixture,
    ],
)
settings.register_profile("default", _ALWAYS, max_examples=60)
settings.register_profile("long", _ALWAYS, max_examples=5_000)
settings.load_profile("default")
