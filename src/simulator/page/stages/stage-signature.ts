import { h } from '../support/dom.js';
import { t } from '../support/texts.js';
import type { Stage, StageContext } from './stage.js';
import { heading, offer, sum } from './stage-parts.js';

/** Width of the field in which the simulator stores signatures. */
const WIDTH = 120;
const HEIGHT = 40;
const MAX_PATH = 19_000;
const SVG = 'http://www.w3.org/2000/svg';

/** The signature screen: drawn with a finger, a pen or the mouse. */
export function signatureStage({ terminal: { screen }, act }: StageContext): Stage {
  let path = '';
  let isDrawing = false;
  const line = document.createElementNS(SVG, 'path');
  const pad = document.createElementNS(SVG, 'svg');
  pad.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  pad.setAttribute('class', 'pad-field');
  pad.setAttribute('role', 'img');
  pad.setAttribute('aria-label', t('signature.field'));
  pad.append(line);
  const draw = (event: PointerEvent, command: 'M' | 'L'): void => {
    if (path.length > MAX_PATH) return;
    const { left, top, width, height } = pad.getBoundingClientRect();
    const x = within(((event.clientX - left) / width) * WIDTH, WIDTH);
    const y = within(((event.clientY - top) / height) * HEIGHT, HEIGHT);
    path += `${command}${x.toFixed(1)} ${y.toFixed(1)}`;
    line.setAttribute('d', path);
  };
  pad.addEventListener('pointerdown', (event) => {
    pad.setPointerCapture(event.pointerId);
    isDrawing = true;
    draw(event, 'M');
  });
  pad.addEventListener('pointermove', (event) => {
    if (isDrawing) draw(event, 'L');
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    pad.addEventListener(end, () => {
      isDrawing = false;
    });
  }
  const clear = (): void => {
    path = '';
    line.removeAttribute('d');
  };
  const confirm = (): void => act({ do: 'sign', ...(path === '' ? {} : { drawing: path }) });
  const refuse = (): void => act({ do: 'answer', accept: false });
  return {
    body: [
      sum(screen),
      heading(t('screen.signature')),
      h('div', { class: 'pad' }, pad),
      h(
        'div',
        { class: 'offers' },
        offer(t('signature.refuse'), refuse),
        offer(t('signature.confirm'), confirm, 'main'),
      ),
      offer(t('signature.clear'), clear, 'quiet'),
    ],
    keys: { clear, enter: confirm, cancel: refuse },
  };
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
