import { byId } from './elements.ts'
import { listenToFolds } from './folding.ts'
import { Kept } from './kept.ts'
import { listenToKeys } from './keyboard.ts'
import { listenToLinks } from './links.ts'
import { Search } from './search.ts'
import { listenToTheme } from './theme.ts'

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
