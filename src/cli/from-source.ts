// Starts the command from its sources. The build starts in `start.ts`, which loads chunks.
import { main } from './main.ts'

await main()
