import type { Page } from 'playwright-core';

/** A window of 1440 by 900 px whose page is zoomed to 200 %. */
export const ZOOMED = { width: 720, height: 450 };

/** What is cut off after so long stays so, ms. */
const SETTLED_BY = 5000;

const CONTENT =
  'button, input, select, textarea, label, summary, a, h1, h2, h3, p, li, dt, dd, th, td, legend, small, output, span';

/**
 * What of a part of the page cannot be read or reached without scrolling sideways, each as one line: what sticks out of the
 * window or of what clips it, texts that are wider than their box, placeholders that are wider than their field.
 * @param strips what is meant to be moved sideways by a finger or by the arrow keys
 */
export async function cutOff(page: Page, selector: string, strips = 'pre'): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const look = () => {
    const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const nameOf = (element) => {
      const text = (element.ariaLabel || element.textContent || element.placeholder || element.id).trim().replace(/\\s+/g, ' ');
      return element.localName + '.' + [...element.classList].join('.') + ' "' + text.slice(0, 40) + '"';
    };
    const found = new Set();
    for (const part of document.querySelectorAll(${JSON.stringify(selector)})) {
      for (const element of part.querySelectorAll(${JSON.stringify(CONTENT)})) {
        const { left, right, width, height } = element.getBoundingClientRect();
        // What is there for screen readers alone has the size of a point.
        if (!isSeen(element) || width <= 1 || height <= 1 || element.closest(${JSON.stringify(strips)})) continue;
        const isOut = (box) => left < box.left - 1 || right > box.right + 1;
        const shows = (around) => around !== null && (getComputedStyle(around).overflowX === 'visible' || !isOut(around.getBoundingClientRect()));
        let around = element.parentElement;
        while (shows(around)) around = around.parentElement;
        if (around !== null || isOut({ left: 0, right: innerWidth })) found.add('cut off: ' + nameOf(element));
        const { overflowX, font } = getComputedStyle(element);
        // The text of a label or button would run below what stands beside it.
        const isBox = overflowX !== 'visible' || element.matches('label, button');
        if (isBox && element.scrollWidth > element.clientWidth + 1 && !element.matches('input, textarea'))
          found.add('wider than its box: ' + nameOf(element));
        if (!element.placeholder || element.value) continue;
        const { paddingLeft, paddingRight } = getComputedStyle(element);
        const context = document.createElement('canvas').getContext('2d');
        context.font = font;
        const room = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        if (context.measureText(element.placeholder).width > room) found.add('placeholder: ' + element.placeholder);
      }
    }
    return [...found];
    };
    // A page that was resized, or opens something, moves for some frames.
    return new Promise((resolve) => {
      const until = performance.now() + ${SETTLED_BY};
      const lookAgain = () => {
        const found = look();
        if (found.length === 0 || performance.now() > until) resolve(found);
        else requestAnimationFrame(lookAgain);
      };
      lookAgain();
    });
  })()`);
}
