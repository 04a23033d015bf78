import { memberOf, type ObjectValue } from '../../hcl/values.ts'
import {
  type DataSource as Description,
  dataSourceBlock,
} from '../../schema/terraform/terraform-data-sources.ts'
import { explainReading } from '../change/explain.ts'
import {
  checkOwnerId,
  checkRequired,
  type DataSource,
  DiagnosticError,
  type Diagnostics,
  isMadeUp,
} from '../provider.ts'
import { blockSchema, type Session } from '../session.ts'
import { checkBelow, checkNamed } from './check-config.ts'
import { readAnswer, readMany, readOne } from './read-data.ts'

/** A data source as its row of the table describes it. */
export function describedSource(source: Description, session: Session): DataSource {
  const block = dataSourceBlock(source)
  return {
    schema: blockSchema(block),
    // All other problems appear when it is read.
    validate: config =>
      [...checkRequired(block, config), ...checkOwners(config), ...checkNames(source, config)].filter(
        problem => !isMadeUp(config, problem),
      ),
    read: async (config, { signal }) => {
      try {
        return { state: await readSource(source, session, config, signal) }
      } catch (error) {
        const { kind } = source
        throw new DiagnosticError(...explainReading(error, `read ${kind.title}s`, kind))
      }
    },
  }
}

function checkOwners(config: ObjectValue): Diagnostics {
  return [
    ...checkOwnerId('project', 'project_id', memberOf(config, 'project_id')),
    ...checkOwnerId('organization', 'organization_id', memberOf(config, 'organization_id')),
  ]
}

function checkNames(source: Description, config: ObjectValue): Diagnostics {
  if (source.is === 'answer') return []
  return source.is === 'one' ? checkNamed(source.kind, config) : checkBelow(source.kind, config)
}

function readSource(
  source: Description,
  session: Session,
  config: ObjectValue,
  signal: AbortSignal,
): Promise<ObjectValue> {
  switch (source.is) {
    case 'one':
      return readOne(source.kind, session, config, signal)
    case 'many':
      return readMany(source, session, config, signal)
    case 'answer':
      return readAnswer(source, session, config, signal)
  }
}
