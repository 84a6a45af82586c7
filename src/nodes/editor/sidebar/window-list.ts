import { element } from '../dom.js';

/** A list of any length that draws only the visible rows. For keyboard and screen reader it is a listbox. */

export interface Row {
  root: HTMLElement;
}

export interface WindowListOptions<Item, R extends Row> {
  label: string;
  /** In px, the same for every row. */
  rowHeight: number;
  make(): R;
  fill(row: R, item: Item): void;
  idOf(item: Item): string;
  open(item: Item): void;
  /** Called when the last rows become visible. */
  nearEnd(): void;
}

const MORE_ROWS = 6;

export class WindowList<Item, R extends Row> {
  readonly root: HTMLElement;
  private readonly space: HTMLElement;
  private items: readonly Item[] = [];
  /** The items at the time of the last drawing: a click before the next one means one of these. */
  private drawn: readonly Item[] = [];
  private readonly rows: R[] = [];
  private current = 0;
  private frame: number | undefined;

  constructor(private readonly options: WindowListOptions<Item, R>) {
    this.space = element('div', { class: 'payments-space', role: 'presentation' });
    this.root = element('div', { class: 'payments-list', role: 'listbox', tabindex: '0', 'aria-label': options.label });
    this.root.append(this.space);
    this.root.addEventListener('scroll', () => this.later());
    this.root.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.later()).observe(this.root);
  }

  show(items: readonly Item[]): void {
    const chosen = this.items[this.current];
    this.items = items;
    // The chosen item stays chosen at its new place.
    this.current = chosen === undefined ? 0 : Math.max(0, this.placeOf(chosen));
    // Not with the next frame: a key pressed before that must be able to scroll to every item.
    this.space.style.height = `${items.length * this.options.rowHeight}px`;
    this.later();
  }

  focus(): void {
    this.root.focus();
  }

  /** -1: not among the items. */
  private placeOf(item: Item): number {
    const id = this.options.idOf(item);
    return this.items.findIndex((other) => this.options.idOf(other) === id);
  }

  private later(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.render();
    });
  }

  private render(): void {
    const { rowHeight, nearEnd } = this.options;
    const { scrollTop, clientHeight } = this.root;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - MORE_ROWS);
    const last = Math.min(this.items.length, Math.ceil((scrollTop + clientHeight) / rowHeight) + MORE_ROWS);
    const count = clientHeight === 0 ? 0 : Math.max(0, last - first);
    this.drawn = this.items;
    while (this.rows.length < count) this.addRow();
    this.rows.forEach((row, offset) => {
      const item = offset < count ? this.items[first + offset] : undefined;
      row.root.hidden = item === undefined;
      if (item !== undefined) this.fill(row, item, first + offset);
    });
    if (this.items.length > 0) this.root.setAttribute('aria-activedescendant', rowId(this.current));
    else this.root.removeAttribute('aria-activedescendant');
    if (clientHeight > 0 && last >= this.items.length - MORE_ROWS) nearEnd();
  }

  private fill(row: R, item: Item, place: number): void {
    const { root } = row;
    root.style.top = `${place * this.options.rowHeight}px`;
    root.id = rowId(place);
    root.dataset.place = String(place);
    root.setAttribute('aria-setsize', String(this.items.length));
    root.setAttribute('aria-posinset', String(place + 1));
    root.setAttribute('aria-selected', String(place === this.current));
    this.options.fill(row, item);
  }

  private addRow(): void {
    const row = this.options.make();
    row.root.setAttribute('role', 'option');
    row.root.style.height = `${this.options.rowHeight}px`;
    row.root.addEventListener('click', () => this.choose(this.drawn[Number(row.root.dataset.place)]));
    this.space.append(row.root);
    this.rows.push(row);
  }

  private choose(item: Item | undefined): void {
    if (item === undefined) return;
    this.current = Math.max(0, this.placeOf(item));
    this.options.open(item);
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.root.clientHeight / this.options.rowHeight));
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.items.length,
      End: this.items.length,
    };
    const step = steps[event.key];
    if (step === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    if (step === undefined) this.choose(this.items[this.current]);
    else this.move(step);
  }

  private move(step: number): void {
    const { rowHeight } = this.options;
    this.current = Math.min(Math.max(0, this.current + step), Math.max(0, this.items.length - 1));
    const top = this.current * rowHeight;
    const { scrollTop, clientHeight } = this.root;
    if (top < scrollTop) this.root.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) this.root.scrollTop = top + rowHeight - clientHeight;
    this.later();
  }
}

function rowId(place: number): string {
  return `payments-row-${place}`;
}
