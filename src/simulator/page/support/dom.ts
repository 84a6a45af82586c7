/** Builds elements. Text is always set as text, never as markup. */

type Child = Node | string | undefined | false;

export interface Props {
  class?: string;
  text?: string;
  /** Attributes, including `aria-…` and `data-…`; undefined and false omit one. */
  attrs?: Record<string, string | number | boolean | undefined>;
  on?: { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };
}

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: className, text, attrs = {}, on = {} }: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className !== undefined) element.className = className;
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attrs)) setAttribute(element, name, value);
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener as EventListener);
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

export function setAttribute(element: Element, name: string, value: string | number | boolean | undefined): void {
  if (value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

const SVG = 'http://www.w3.org/2000/svg';

/** A decorative icon of strokes, 24 by 24, hidden from screen readers. */
export function icon(path: string, className = 'icon'): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const stroke = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', className);
  svg.setAttribute('aria-hidden', 'true');
  stroke.setAttribute('d', path);
  svg.append(stroke);
  return svg;
}

export const ICONS = {
  contactless: 'M7 9a6 6 0 0 1 0 6M10.5 6.5a10.5 10.5 0 0 1 0 11M14 4a15 15 0 0 1 0 16',
  chip: 'M7 3h10v10H7zM10 3v4h4V3M3 17h18M12 17v4',
  swipe: 'M3 6h12v12H3zM3 10h12M19 5v14M16.5 16.5L19 19l2.5-2.5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  question: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5',
  back: 'M19 12H5M11 6l-6 6 6 6',
  power: 'M12 3v8M7 6.5a7 7 0 1 0 10 0',
  network: 'M3 9a13 13 0 0 1 18 0M6 12.5a8.5 8.5 0 0 1 12 0M9 16a4 4 0 0 1 6 0M12 19.5v.1',
  receipt: 'M6 3v18l2-1.5L10 21l2-1.5L14 21l2-1.5L18 21V3l-2 1.5L14 3l-2 1.5L10 3 8 4.5zM9 9h6M9 13h6',
  restart: 'M19 12a7 7 0 1 1-2-5M19 3v4h-4',
} as const;

/** Replaces an element's children. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
}
