import type { Details } from './details.ts'
import { detailsMarkup } from './details-markup.ts'

/** The element with this id, if it exists and has this class. */
function byId<E extends HTMLElement>(id: string, is: new () => E): E | undefined {
  const found = document.getElementById(id)
  return found instanceof is ? found : undefined
}

function all(selectors: string, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selectors)]
}

/** Objects that match the filters. */
function shownItems(): HTMLElement[] {
  return all('.item:not([hidden])')
}

/** The sides of changes that the page stores as data. They are parsed when the first one is needed. */
class Kept {
  #read: readonly Details[] | undefined

  /** Shows the sides of a change, unless they are already shown. */
  show(folded: HTMLElement): void {
    const { kept } = folded.dataset
    const details = kept === undefined ? undefined : this.#all[Number(kept)]
    if (!details) return
    delete folded.dataset.kept
    // The markup escapes each text, as in the rest of the page.
    folded.insertAdjacentHTML('beforeend', detailsMarkup(details).text)
  }

  showAll(within: ParentNode): void {
    for (const folded of all('[data-kept]', within)) this.show(folded)
  }

  /** The stored text of an object, for searches. */
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
    // The report that contains this script wrote the data.
    this.#read ??= JSON.parse(byId('kept', HTMLScriptElement)?.textContent ?? '[]') as readonly Details[]
    return this.#read
  }
}

interface Sought {
  readonly item: HTMLElement
  readonly text: string
}

/** Shows the objects that contain every typed word and match the chosen filters. */
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

  /** Whether the page has a search: reports with few objects have none. */
  focus(): boolean {
    this.#input?.focus()
    this.#input?.select()
    return this.#input !== undefined
  }

  clear(): void {
    if (this.#input) this.#input.value = ''
    for (const choice of this.#choices) choice.value = ''
    this.#filter()
  }

  /** Whether the search field has the focus. */
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

  /** Opens the sections with matches. Without a search, restores their earlier state. */
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

  /** Collected when first needed, because ten thousand objects take a moment. */
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

/** Shows the sides of a change when it is unfolded, and all sides in print. */
function listenToFolds(kept: Kept): void {
  // This event does not bubble.
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

/** The keyboard shortcuts of the page, as its help shows them. */
const keys = [
  ['j', 'next object'],
  ['k', 'previous object'],
  ['Enter', 'fold or unfold the details'],
  ['/', 'search'],
  ['Escape', 'end the search'],
  ['?', 'show these keys'],
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
        return search.focus()
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

/** Moves by a number of objects. If none is focused, moves to the first. */
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
  const hasSearch = byId('tools', HTMLFormElement) !== undefined
  for (const [key, meaning] of keys) {
    if (!hasSearch && meaning.includes('search')) continue
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

// The script of a report. It is optional: without it the page shows everything.
const buttons = byId('buttons', HTMLDivElement)
if (buttons) {
  buttons.hidden = false
  const tools = byId('tools', HTMLFormElement)
  if (tools) tools.hidden = false
  const kept = new Kept()
  const search = new Search(kept)
  search.start()
  listenToFolds(kept)
  listenToTheme()
  listenToKeys(search)
  listenToLinks(search)
}

/** Follows a link to an object, even if a filter or a fold hides it. */
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

/** A button that switches between themes, starting with the theme of the reader's system. */
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
