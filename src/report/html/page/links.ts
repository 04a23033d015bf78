import { byId } from './elements.ts'
import type { Search } from './search.ts'

/** Follows a link to an object also where a search has hidden it, or a fold. */
export function listenToLinks(search: Search): void {
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    const told = link?.hash ? byId(link.hash.slice(1), HTMLElement) : undefined
    if (!told) return
    if (told.closest('[hidden]')) search.clear()
    const fold = told.closest('details.fold')
    if (fold instanceof HTMLDetailsElement) fold.open = true
  })
}
