import { basename } from 'node:path'

/** The bundled provider, beside the file that Terraform starts. */
export const bundleName = 'vexil-provider.cjs'

/** The licences of the libraries in it; the build writes this file beside every bundle. */
export const noticesName = 'THIRD-PARTY-NOTICES.txt'

/** What the engine has compiled of it, so that it does not compile the same again at every start. */
export const cacheName = 'vexil-provider.cache'

/** The same beside a provider's folder instead of in it. */
export function besideCacheName(folder: string): string {
  return `${basename(folder)}.cache`
}

/** Set while a release is made: where to write the cache when the process ends. */
export const writeCacheVariable = 'VEXIL_WRITE_CODE_CACHE'

/**
 * The file that Terraform starts: loads the bundle with its code cache. Another version of Node refuses the cache,
 * which costs time and nothing else. Terraform starts three processes for one plan, so the start counts. A release has
 * the cache in it; what is installed has it beside its folder.
 */
export const launcherText = `#!/usr/bin/env node
'use strict'
const { readFileSync, writeFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { join } = require('node:path')
const running = require('node:process')
const { Script } = require('node:vm')

const filename = join(__dirname, '${bundleName}')
let cachedData
for (const cache of [join(__dirname, '${cacheName}'), __dirname + '.cache']) {
  try {
    cachedData ??= readFileSync(cache)
  } catch {
    // Without a cache it starts as well.
  }
}
const script = new Script(wrap(readFileSync(filename, 'utf8')), { filename, cachedData })
const write = running.env.${writeCacheVariable}
if (write) running.on('exit', () => writeFileSync(write, script.createCachedData()))
const bundle = { exports: {} }
script.runInThisContext().call(bundle.exports, bundle.exports, require, bundle, filename, __dirname)
// What a start leaves for later belongs into the cache as well.
if (write) bundle.exports.loadRest?.()
`
