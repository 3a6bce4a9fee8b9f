// The only functions that create elements: text of the input only becomes text of nodes.

const SVG = 'http://www.w3.org/2000/svg';

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element: `h('p', { class: 'note' }, 'text', child)`. Names that start with `on` are listeners. */
const h = (name, attributes = {}, ...children) => build(document.createElement(name), attributes, children);

/** An SVG element. */
const svg = (name, attributes = {}, ...children) => build(document.createElementNS(SVG, name), attributes, children);

/** Input text with its own writing direction. */
const input = (text) => h('bdi', {}, text);

const byId = (id) => document.getElementById(id);

const percent = (value, digits = 2) => (value === null || value === undefined ? '–' : (100 * value).toFixed(digits));
const counted = (count, what) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** A difference with its sign: +1.25, −0.50, 0.00. */
function signed(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
}

/** Names without the parts, such as `23.`, with which all of them begin. */
function withoutCommonStart(names) {
  const [first] = names;
  let same = 0;
  while (same < first.length && names.every((name) => name[same] === first[same])) same++;
  const start = first.slice(0, same).search(/[^\p{L}\p{N}][\p{L}\p{N}]*$/u) + 1;
  return names.length > 1 ? names.map((name) => name.slice(start)) : names;
}

let measuring = null;
/** The width of a text in pixels. */
function textWidth(text, font) {
  measuring ??= document.createElement('canvas').getContext('2d');
  measuring.font = font;
  return measuring.measureText(text).width;
}

/** A text shortened to a number of whole characters. */
function shortened(text, most) {
  if (text.length <= most) return text;
  return `${Array.from(text.slice(0, most)).slice(0, -1).join('')}…`;
}

/** Make items a single tab stop: arrow keys move between items; left and right only if `sideways`. */
function roving(items, { sideways = false } = {}) {
  let stop = items[0];
  items.forEach((item, place) => {
    item.setAttribute('tabindex', place ? '-1' : '0');
    item.addEventListener('keydown', (event) => {
      const step = {
        ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: items.length - 1,
        ...(sideways ? { ArrowRight: place + 1, ArrowLeft: place - 1 } : {}),
      }[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      items[step]?.focus();
    });
    item.addEventListener('focus', () => {
      stop.setAttribute('tabindex', '-1');
      item.setAttribute('tabindex', '0');
      stop = item;
    });
  });
  return items;
}

function announce(text) {
  byId('status').textContent = text;
}
