import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Beside every bundle: who wrote what is in it, and under which licence. */
export const noticesName = 'THIRD-PARTY-NOTICES.txt'

/** Options of every bundle: what was put into it, and the comments about licences that stand in the sources. */
export const withNotices = { metafile: true, legalComments: 'external' }

/**
 * Writes the notices of a folder of bundles: each package that is in one of them with its licence, and the comments
 * about licences in their sources, which esbuild leaves in files of their own. Fails for a package without a licence.
 */
export async function writeNotices(folder, builds) {
  const packages = new Set(
    builds.flatMap(({ metafile }) => Object.values(metafile.outputs).flatMap(packagesOf)),
  )
  const notices = await Promise.all([...packages].sort().map(noticeOf))
  const comments = await takeComments(folder)
  const head = 'The bundles in this folder contain code of these packages.\n'
  await writeFile(join(folder, noticesName), [head, ...notices, ...comments].join(`\n${'-'.repeat(80)}\n\n`))
}

function packagesOf({ inputs }) {
  return Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
    .filter(found => found !== undefined)
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter(file => /^(licen[cs]e|notice|copying)\b/i.test(file)).sort()
  if (files.length === 0) throw new Error(`${folder} has no licence`)
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))
  return `${name} ${version} (${license})\n\n${texts.map(text => `${text.trim()}\n`).join('\n')}`
}

/** Bundles that share a package share its comments. */
async function takeComments(folder) {
  const files = (await readdir(folder, { recursive: true }))
    .filter(file => file.endsWith('.LEGAL.txt'))
    .sort()
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))
  for (const file of files) await rm(join(folder, file))
  const different = new Set(texts.map(text => text.trim()))
  different.delete('')
  return different.size === 0
    ? []
    : [`Comments about licences in the sources\n\n${[...different].join('\n\n')}\n`]
}
