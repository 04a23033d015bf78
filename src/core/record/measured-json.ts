import type { JsonObject } from '../../model/json/json.ts'
import type { Measured } from '../live-edits/measured.ts'

/** What a plan was measured from, as it stands in plan files and `--json`. */
export function measuredToJson({ run, at, revision, earlier }: Measured): JsonObject {
  return {
    run,
    at: new Date(at).toISOString(),
    ...(revision === undefined ? {} : { commit: revision.commit, dirty: revision.dirty }),
    ...(earlier === undefined ? {} : { earlier }),
  }
}

/** Reads it back from a document whose shape was checked against the plan schema. */
export function measuredFromJson({ run, at, commit, dirty, earlier }: JsonObject): Measured {
  return {
    run: String(run),
    at: Date.parse(String(at)),
    ...(typeof commit === 'string' ? { revision: { commit, dirty: dirty === true } } : {}),
    ...(typeof earlier === 'number' ? { earlier } : {}),
  }
}
