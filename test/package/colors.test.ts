import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LISTENS, MONEY } from '../../src/nodes/form/colors.js';

/** Luminances from 0 to 1, as the WCAG reckon them. */
const WHITE = 1;
/** The editor's colour of labels, `#333`. */
const LABEL = luminanceOf('#333333', 1);
/** The editor lays a shade of a twentieth of black below an icon. */
const SHADE = 0.95;

for (const [name, color] of Object.entries({ MONEY, LISTENS })) {
  test(`${name}: icon and label of a node are readable on ${color}`, () => {
    const icon = contrast(WHITE, luminanceOf(color, SHADE));
    const label = contrast(luminanceOf(color, 1), LABEL);
    assert.ok(icon >= 3, `expected 3 for an icon, got ${icon}`);
    assert.ok(label >= 4.5, `expected 4.5 for a label, got ${label}`);
  });
}

function contrast(light: number, dark: number): number {
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(color: string, shade: number): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = (Number.parseInt(color.slice(at, at + 2), 16) / 255) * shade;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
