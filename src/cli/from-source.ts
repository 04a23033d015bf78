// The command, from its source. The build has another beginning, which loads chunks.
import { main } from './main.ts'

await main()
