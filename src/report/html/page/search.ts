import { all, byId } from './elements.ts'
import type { Kept } from './kept.ts'

interface Sought {
  readonly item: HTMLElement
  readonly text: string
}

/** Shows the objects that have every word of what was typed, and what was chosen. */
export class Search {
  readonly #kept: Kept
  readonly #input = byId('find', HTMLInputElement)
  readonly #choices = all('[data-choice]').filter(choice => choice instanceof HTMLSelectElement)
  readonly #folds: ReadonlyMap<HTMLDetailsElement, boolean>
  #sought: readonly Sought[] | undefined

  constructor(kept: Kept) {
    this.#kept = kept
    const folds = all('.fold').filter(fold => fold instanceof HTMLDetailsElement)
    this.#folds = new Map(folds.map(fold => [fold, fold.open]))
  }

  start(): void {
    byId('tools', HTMLFormElement)?.addEventListener('submit', event => event.preventDefault())
    this.#input?.addEventListener('input', () => this.#filter())
    for (const choice of this.#choices) choice.addEventListener('change', () => this.#filter())
    const total = all('.item').length
    this.#tell(total, total)
  }

  focus(): void {
    this.#input?.focus()
    this.#input?.select()
  }

  clear(): void {
    if (this.#input) this.#input.value = ''
    for (const choice of this.#choices) choice.value = ''
    this.#filter()
  }

  /** Whether the keys that are pressed are typed into it. */
  get isTyping(): boolean {
    return document.activeElement === this.#input
  }

  #filter(): void {
    const words = (this.#input?.value ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== '')
    const chosen = this.#choices.flatMap(({ dataset: { choice = '' }, value }) =>
      value === '' ? [] : [{ choice, value }],
    )
    const fits = ({ item, text }: Sought) =>
      words.every(word => text.includes(word)) &&
      chosen.every(({ choice, value }) => has(item, choice, value))
    let count = 0
    for (const sought of this.#all) {
      const isShown = fits(sought)
      if (isShown) count += 1
      if (sought.item.hidden === isShown) sought.item.hidden = !isShown
    }
    this.#foldSections(words.length + chosen.length > 0)
    this.#tell(count, this.#all.length)
  }

  /** Opens the sections in which something was found; without a search they are as they were. */
  #foldSections(isSearching: boolean): void {
    for (const [fold, wasOpen] of this.#folds) {
      const isFound = fold.querySelector('.item:not([hidden])') !== null
      const section = fold.parentElement
      if (section) section.hidden = !isFound
      fold.open = isSearching ? isFound : wasOpen
    }
  }

  #tell(count: number, total: number): void {
    const found = byId('found', HTMLOutputElement)
    if (found) found.value = count === total ? `${total} objects` : `${count} of ${total} objects`
    const nothing = byId('nothing', HTMLParagraphElement)
    if (nothing) nothing.hidden = count > 0 || total === 0
  }

  /** Read when it is first needed: of ten thousand objects it takes a moment. */
  get #all(): readonly Sought[] {
    this.#sought ??= all('.item').map(item => ({
      item,
      text: `${item.textContent} ${this.#kept.textOf(item)}`.toLowerCase(),
    }))
    return this.#sought
  }
}

function has({ dataset }: HTMLElement, choice: string, value: string): boolean {
  const found = dataset[choice]
  // An object may have several owners.
  if (choice !== 'owner' || found === undefined) return found === value
  return (JSON.parse(found) as readonly string[]).includes(value)
}
