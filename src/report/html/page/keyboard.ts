import { all, byId, shownItems } from './elements.ts'
import type { Search } from './search.ts'

/** The keys of the page, as its help tells them. */
const keys = [
  ['j', 'next object'],
  ['k', 'object before'],
  ['Enter', 'fold or unfold what it is before and after'],
  ['/', 'search'],
  ['Escape', 'end the search'],
  ['?', 'these keys'],
] as const

export function listenToKeys(search: Search): void {
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

/** Goes to the object that is so many further on; from nowhere, to the first. */
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
