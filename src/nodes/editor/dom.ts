/** Builds elements without parsing HTML: a string is always inserted as text. */

type Content = Node | string;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...content: Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

/** A button that looks like the editor's own. */
export function button(label: string, icon: string, run: () => void, size = 'red-ui-button-small'): HTMLButtonElement {
  const made = element('button', { type: 'button', class: `red-ui-button ${size}` });
  made.append(element('i', { class: `fa ${icon}`, 'aria-hidden': 'true' }), ` ${label}`);
  made.addEventListener('click', run);
  return made;
}
