/** A reader at the keyboard: presses keys, and sees what is selected, shown and said. */
import type { Page } from 'playwright-core';

export class Reader {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key === ' ' ? 'Space' : key);
  }

  /** The frame whose row is selected in the view in sight; null if none is. */
  selected(): Promise<number | null> {
    return this.page.evaluate(() => {
      const rows = [
        ...document.querySelectorAll<HTMLElement>('#view [data-f]:is([aria-selected=true], [aria-current=true])'),
      ];
      const [row] = rows.filter(({ hidden }) => !hidden);
      return row ? Number(row.dataset.f) : null;
    });
  }

  /** Waits until this frame is selected; fails with what is selected instead. */
  async isAt(f: number): Promise<void> {
    await this.#until(
      (wanted) => document.querySelector(`#view [data-f="${wanted}"][aria-selected=true]:not([hidden])`) !== null,
      f,
      async () => `f${f} is not selected but f${await this.selected()}`,
    );
  }

  /** Waits until the view is shown. */
  async isIn(view: string): Promise<void> {
    await this.#until(
      (name) => document.querySelector(`#tab-${name}[aria-selected=true]`) !== null,
      view,
      async () => `${view} is not shown`,
    );
  }

  /** Waits until the address has this part. */
  async isLinked(part: string): Promise<void> {
    await this.#until(
      (wanted) => location.hash.includes(wanted),
      part,
      async () => `${part} is not in ${this.page.url()}`,
    );
  }

  /** Waits until the page has said this. */
  async hears(text: string): Promise<void> {
    await this.#until(
      (wanted) => document.querySelector('.toasts')!.textContent!.includes(wanted),
      text,
      async () => `"${text}" was not said`,
    );
  }

  /** Waits until there is such an element, and it can be seen. */
  async sees(selector: string): Promise<void> {
    await this.page.locator(selector).first().waitFor({ state: 'visible' });
  }

  async seesNo(selector: string): Promise<void> {
    await this.page.locator(selector).first().waitFor({ state: 'hidden' });
  }

  /** Whether the focus is in such an element. */
  async isOn(selector: string): Promise<void> {
    await this.#until(
      (wanted) => document.activeElement?.closest(wanted) != null,
      selector,
      async () => {
        const at = await this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
        return `the focus is not in ${selector} but on ${at}`;
      },
    );
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  async #until<T>(holds: (value: T) => boolean, value: T, otherwise: () => Promise<string>): Promise<void> {
    await this.page.waitForFunction(holds as never, value, { timeout: 300_000 }).catch(async () => {
      throw new Error(await otherwise());
    });
  }
}
