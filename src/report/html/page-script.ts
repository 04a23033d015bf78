import type { Details } from './details.ts'
import { detailsMarkup } from './details-markup.ts'

/** The element of this id, if the page has it and it is of that class. */
function byId<E extends HTMLElement>(id: string, is: new () => E): E | undefined {
  const found = document.getElementById(id)
  return found instanceof is ? found : undefined
}

function all(selectors: string, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selectors)]
}

/** Objects that are not filtered out. */
function shownItems(): HTMLElement[] {
  return all('.item:not([hidden])')
}

/** The sides of changes that the page keeps as data; read when the first one is needed. */
class Kept {
  #read: readonly Details[] | undefined

  /** Shows the sides of a change if they are not shown yet. */
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
    // The page with this script has written it.
    this.#read ??= JSON.parse(byId('kept', HTMLScriptElement)?.textContent ?? '[]') as readonly Details[]
    return this.#read
  }
}

interface Sought {
  readonly item: HTMLElement
  readonly text: string
}

/** Shows the objects that have every word of what was typed, and what was chosen. */
class Search {
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
    this.#showCount(total, total)
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
    this.#showCount(count, this.#all.length)
  }

  /** Opens the sections with matches; without a search they are as before. */
  #foldSections(isSearching: boolean): void {
    for (const [fold, wasOpen] of this.#folds) {
      const isFound = fold.querySelector('.item:not([hidden])') !== null
      const section = fold.parentElement
      if (section) section.hidden = !isFound
      fold.open = isSearching ? isFound : wasOpen
    }
  }

  #showCount(count: number, total: number): void {
    const found = byId('found', HTMLOutputElement)
    if (found) found.value = count === total ? `${total} objects` : `${count} of ${total} objects`
    const nothing = byId('nothing', HTMLParagraphElement)
    if (nothing) nothing.hidden = count > 0 || total === 0
  }

  /** Read when it is first needed, since ten thousand objects take a moment. */
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

/** Shows the sides of a change when it is unfolded, and all sides on paper. */
function listenToFolds(kept: Kept): void {
  // It does not bubble.
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open) kept.show(target)
    },
    true,
  )
  const button = byId('unfold', HTMLButtonElement)
  button?.addEventListener('click', () => {
    const folded = shownItems()
      .flatMap(item => all('details.both', item))
      .filter(each => each instanceof HTMLDetailsElement)
    const isOpening = folded.some(each => !each.open)
    for (const each of folded) each.open = isOpening
    button.textContent = isOpening ? 'Fold all' : 'Unfold all'
  })
  let closed: readonly HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    kept.showAll(document)
    closed = all('details')
      .filter(each => each instanceof HTMLDetailsElement)
      .filter(each => !each.open)
    for (const each of closed) each.open = true
  })
  addEventListener('afterprint', () => {
    for (const each of closed) each.open = false
  })
}

/** The keys of the page, as its help shows them. */
const keys = [
  ['j', 'next object'],
  ['k', 'object before'],
  ['Enter', 'fold or unfold what it is before and after'],
  ['/', 'search'],
  ['Escape', 'end the search'],
  ['?', 'these keys'],
] as const

function listenToKeys(search: Search): void {
  const help = helpDialog()
  byId('keys', HTMLButtonElement)?.addEventListener('click', () => help.showModal())
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return
    if (event.key === 'Escape') {
      search.clear()
      if (search.isTyping) move(0)
      return
    }
    if (isTypedInto(event.target)) return
    if (act(event.key, event.target)) event.preventDefault()
  })

  function act(key: string, target: EventTarget | null): boolean {
    switch (key) {
      case 'j':
        return move(1)
      case 'k':
        return move(-1)
      case 'Enter':
        return target instanceof HTMLElement && target.matches('.item') && unfold(target)
      case '/':
        search.focus()
        return true
      case '?':
        help.showModal()
        return true
      default:
        return false
    }
  }
}

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement
}

/** Moves on by a number of objects; without a present one, to the first. */
function move(by: number): boolean {
  const items = shownItems()
  const from = document.activeElement?.closest<HTMLElement>('.item')
  const at = from ? items.indexOf(from) : -1
  const next = items[at === -1 ? 0 : Math.min(items.length - 1, Math.max(0, at + by))]
  if (!next) return false
  const fold = next.closest('details.fold')
  if (fold instanceof HTMLDetailsElement) fold.open = true
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
  return true
}

function unfold(item: HTMLElement): boolean {
  const [both] = all('details.both', item)
  if (!(both instanceof HTMLDetailsElement)) return false
  both.open = !both.open
  return true
}

function helpDialog(): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-labelledby', 'keys-title')
  const title = made('h2', 'Keys')
  title.id = 'keys-title'
  const list = document.createElement('dl')
  for (const [key, meaning] of keys) {
    const term = document.createElement('dt')
    term.append(made('kbd', key))
    list.append(term, made('dd', meaning))
  }
  const close = made('button', 'Close')
  close.addEventListener('click', () => dialog.close())
  dialog.append(title, list, close)
  document.body.append(dialog)
  return dialog
}

function made(name: string, text: string): HTMLElement {
  const element = document.createElement(name)
  element.textContent = text
  return element
}

// The script of a report. It only helps: the page shows everything without it.
const tools = byId('tools', HTMLFormElement)
if (tools) {
  tools.hidden = false
  const kept = new Kept()
  const search = new Search(kept)
  search.start()
  listenToFolds(kept)
  listenToTheme()
  listenToKeys(search)
  listenToLinks(search)
}

/** Follows a link to an object even if a search or a fold hides it. */
function listenToLinks(search: Search): void {
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    const linked = link?.hash ? byId(link.hash.slice(1), HTMLElement) : undefined
    if (!linked) return
    if (linked.closest('[hidden]')) search.clear()
    const fold = linked.closest('details.fold')
    if (fold instanceof HTMLDetailsElement) fold.open = true
  })
}

const themes = ['system', 'light', 'dark'] as const

/** A button that goes through the themes; the first is what the system of the reader has. */
function listenToTheme(): void {
  const button = byId('theme', HTMLButtonElement)
  let chosen = 0
  button?.addEventListener('click', () => {
    chosen = (chosen + 1) % themes.length
    const theme = themes[chosen] ?? 'system'
    document.documentElement.dataset.theme = theme
    button.textContent = `Theme: ${theme}`
  })
}
