import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** What a person's hands do at the virtual terminal. */

export const key = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const says = (page: Page, text: string): Promise<void> =>
  page.locator('.screen').getByText(text).first().waitFor();

export async function choose(page: Page, card: RegExp): Promise<void> {
  await page.getByRole('radio', { name: card }).check();
}

export async function typePin(page: Page, pin: string): Promise<void> {
  await page.locator('.screen[data-stage=pin]').waitFor();
  for (const digit of pin) await key(page, digit).click();
  await page.locator('.keypad').getByRole('button', { name: 'Confirm' }).click();
}

export async function insert(page: Page, pin = '1234'): Promise<void> {
  await key(page, 'Insert').click();
  await typePin(page, pin);
}

export async function removeCard(page: Page): Promise<void> {
  await says(page, 'Please remove your card');
  await key(page, 'Pull the card out').click();
}

/** By the red key. */
export async function cancelAt(page: Page, stage: string): Promise<void> {
  await page.locator(`.screen[data-stage=${stage}]`).waitFor();
  await page.locator('.keypad').getByRole('button', { name: 'Cancel' }).click();
}

export async function sign(page: Page): Promise<void> {
  await says(page, 'Please sign');
  const box = await page.getByRole('img', { name: 'Signature area' }).boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 10, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 90, box.y + 40, { steps: 3 });
  await page.mouse.up();
  await page.locator('.screen').getByRole('button', { name: 'Confirm' }).click();
}
