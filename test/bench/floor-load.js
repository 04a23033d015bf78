// The floor of starting: node, and all of our bundle that a command loads.
import { loadChunks } from './load-chunks.js'

const [dist, loader, file, ...commands] = process.argv.slice(2)
loadChunks(dist, loader, file, commands)
