import type { Details } from '../details.ts'
import { detailsMarkup } from '../details-markup.ts'
import { all, byId } from './elements.ts'

/** The sides of changes that the page keeps as data; read when the first of them is asked for. */
export class Kept {
  #read: readonly Details[] | undefined

  /** Shows the sides of a change where they are not shown yet. */
  show(folded: HTMLElement): void {
    const { kept } = folded.dataset
    const details = kept === undefined ? undefined : this.#all[Number(kept)]
    if (!details) return
    delete folded.dataset.kept
    // Each text of it is escaped, as in the rest of the page.
    folded.insertAdjacentHTML('beforeend', detailsMarkup(details).text)
  }

  showAll(within: ParentNode): void {
    for (const folded of all('[data-kept]', within)) this.show(folded)
  }

  /** What else is to be found in an object. */
  textOf(item: HTMLElement): string {
    const [
      {
        dataset: { kept = '' },
      } = { dataset: {} as DOMStringMap },
    ] = all('[data-kept]', item)
    const details = kept === '' ? undefined : this.#all[Number(kept)]
    return details ? JSON.stringify(details) : ''
  }

  get #all(): readonly Details[] {
    // The page that this script stands in has written it.
    this.#read ??= JSON.parse(byId('kept', HTMLScriptElement)?.textContent ?? '[]') as readonly Details[]
    return this.#read
  }
}
