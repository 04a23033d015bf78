import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { providerFiles } from './build-files.ts'
import { bundleName } from './launcher.ts'
import { releaseOf } from './release.ts'
import { writeFiles } from './write-files.ts'

// `npm run package:provider`: what a registry or a mirror serves, and beside it the files of one version unpacked.
const root = join(import.meta.dirname, '../../..')
const provider = await providerFiles(join(root, 'dist/terraform', bundleName), manifest.version)
await writeFiles(join(root, 'dist/terraform/provider'), provider)
await writeFiles(join(root, 'dist/terraform/release'), releaseOf(provider, manifest.version))
