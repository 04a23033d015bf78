import { isPlanText } from '../../core/record/plan-file.ts'
import { writePrivately } from '../../core/record/run-folder.ts'
import { type OutPlace, openOutFile } from '../host/files/out-file.ts'
import type { Host } from '../host/host.ts'

/** Looks where a plan is going to be saved, before any work goes into it. */
export function openPlanOut(host: Host, out: string): Promise<OutPlace> {
  const { hide } = host.secrets
  return openOutFile(host, {
    name: out,
    failing: 'the plan cannot be saved as',
    what: 'a plan',
    isEarlier: isPlanText,
    write: (path, text, unfinished) => writePrivately(path, text, { hide, unfinished }),
  })
}
