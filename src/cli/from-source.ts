// Starts the command from its source. The build starts in another file, which loads chunks.
import { main } from './main.ts'

await main()
