/** The part of the editor's API that is used here. */

export interface EditorNode {
  id: string;
  type: string;
  name?: string;
  /** Set: the editor redraws the node. */
  dirty?: boolean;
  users?: EditorNode[];
  /** The variables of a subflow, or of one of its instances. */
  env?: Variable[];
  _def: Definition;
  [property: string]: unknown;
}

export interface Variable {
  name: string;
  type: string;
  value: unknown;
}

interface Definition {
  credentials?: Readonly<Record<string, { validate?: (value: unknown) => boolean }>>;
  label?: (this: EditorNode) => string;
  _: Translate;
}

type Translate = (key: string, values?: Record<string, unknown>) => string;

interface Tab {
  id: string;
  label: string;
  name: string;
  content: HTMLElement;
  iconClass: string;
  enableOnEdit: boolean;
  onchange(): void;
}

interface Button {
  text: string;
  class?: string;
  click(): void;
}

interface Notification extends HTMLElement {
  close(): void;
}

interface Badge {
  type: 'badge';
  class: string;
  element(node: EditorNode): SVGElement;
  show(node: EditorNode): boolean;
  filter(node: EditorNode): boolean;
  tooltip(node: EditorNode): string;
}

interface Host {
  _: Translate;
  i18n: { lang(): string };
  user: { hasPermission(permission: string): boolean };
  plugins: { registerPlugin(id: string, definition: { type: string; onadd(): void }): void };
  sidebar: { addTab(tab: Tab): void; show(id: string): void };
  actions: { add(name: string, run: () => void): void };
  comms: {
    subscribe(topic: string, listener: (topic: string, message: unknown) => void): void;
    on(event: 'connect', run: () => void): void;
    send(topic: string, message: unknown): void;
  };
  events: { on(event: string, listener: (value: never) => void): void };
  nodes: {
    /** Null or undefined where there is no such node. */
    node(id: string): EditorNode | null | undefined;
    eachNode(visit: (node: EditorNode) => void): void;
    eachGroup(visit: (group: EditorNode) => void): void;
    eachSubflow(visit: (subflow: EditorNode) => void): void;
    eachConfig(visit: (node: EditorNode) => void): void;
    filterLinks(filter: { source: EditorNode; sourcePort: number }): { target: EditorNode }[];
    filterNodes(filter: { z: string }): EditorNode[];
    subflow(id: string): EditorNode | null | undefined;
    getType(type: string): Definition | undefined;
  };
  view: {
    reveal(id: string): void;
    redraw(): void;
    annotations: { register(id: string, badge: Badge): void };
  };
  notify(
    content: HTMLElement,
    options: { type?: string; modal?: boolean; fixed?: boolean; timeout?: number; buttons?: Button[] },
  ): Notification;
}

interface AjaxRequest {
  url: string;
  type: 'GET' | 'POST';
  dataType: 'json';
  contentType?: string;
  data?: string;
}

interface Globals {
  RED: Host;
  /** The editor's own jQuery adds the login token to addresses without a leading slash. */
  $: { ajax(request: AjaxRequest): PromiseLike<unknown> };
}

export const { RED, $ } = globalThis as unknown as Globals;
