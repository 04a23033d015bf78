import { byId } from './elements.ts'
import { listenToFolds } from './folding.ts'
import { Kept } from './kept.ts'
import { listenToKeys } from './keyboard.ts'
import { Search } from './search.ts'

// The script of a report. Everything that it does is a help: the page says all that it has to say without it.
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

/** Follows a link to an object also where a search has hidden it, or a fold. */
function listenToLinks(search: Search): void {
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    const told = link?.hash ? byId(link.hash.slice(1), HTMLElement) : undefined
    if (!told) return
    if (told.closest('[hidden]')) search.clear()
    const fold = told.closest('details.fold')
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
