import { canonicalText, type Json, type JsonObject } from '../../../model/json/json.ts'
import { JsonTextError, readStrictJson } from '../../../model/json/strict-json.ts'
import { groupTypes } from '../../../targeting/filter-parts.ts'
import type { AnySubject } from '../../../targeting/index.ts'
import { CommandError, exitCode } from '../../host/exit-code.ts'

/** Who asks for a flag, as the command line says it. */
export interface PersonFlags {
  readonly distinctId?: string
  readonly deviceId?: string
  readonly property?: readonly string[]
  readonly group?: readonly string[]
  readonly groupProperty?: readonly string[]
}

/** The numbers of the types of groups, by the names that the settings have for them. */
type GroupTypeNames = Readonly<Record<string, number>>

/** Reads who asks. The types of groups go by their numbers, as in conditions, or by their names in the settings. */
export function readPerson(flags: PersonFlags, names: GroupTypeNames): AnySubject {
  const { distinctId, deviceId, property = [], group = [], groupProperty = [] } = flags
  const groups = Object.fromEntries(
    group.map(given => {
      const [type, key] = assigned(given, '--group', 'TYPE=KEY, such as 0=acme')
      return [groupType(type, '--group', names), key]
    }),
  )
  return {
    ...(distinctId === undefined ? {} : { distinctId }),
    ...(deviceId === undefined ? {} : { deviceId }),
    properties: Object.fromEntries(
      property.map(given => {
        const [name, value] = assigned(given, '--property', 'NAME=VALUE, such as country=DE')
        return [name, propertyValue(value)]
      }),
    ),
    groups,
    groupProperties: groupPropertiesIn(groupProperty, groups, names),
  }
}

function groupPropertiesIn(
  given: readonly string[],
  groups: Readonly<Record<string, string>>,
  names: GroupTypeNames,
): Readonly<Record<string, JsonObject>> {
  const read: Record<string, JsonObject> = {}
  for (const one of given) {
    const [place, value] = assigned(one, '--group-property', 'TYPE.NAME=VALUE, such as 0.plan=pro')
    const [type = '', name = ''] = place.split(/\.(.*)/s)
    const index = groupType(type, '--group-property', names)
    if (name === '') throw usage('--group-property takes TYPE.NAME=VALUE, such as 0.plan=pro', one)
    if (!Object.hasOwn(groups, index))
      throw usage(`--group-property is about a group of type ${type}, which no --group names`, one)
    read[index] = { ...read[index], [name]: propertyValue(value) }
  }
  return read
}

function assigned(given: string, option: string, takes: string): readonly [string, string] {
  const at = given.indexOf('=')
  if (at < 1) throw usage(`${option} takes ${takes}`, given)
  return [given.slice(0, at), given.slice(at + 1)]
}

function groupType(text: string, option: string, names: GroupTypeNames): string {
  const { from, to } = groupTypes
  const index = Number(text)
  if (/^\d$/.test(text) && index >= from && index <= to) return text
  const named = Object.hasOwn(names, text) ? names[text] : undefined
  if (named !== undefined) return String(named)
  const known = Object.keys(names)
  const listed = known.length === 0 ? '' : `, or its name: ${known.join(', ')}`
  throw usage(
    `${option} takes the number of a group type, ${from} to ${to}, as aggregation_group_type_index has it${listed}`,
    text,
  )
}

/** JSON where it is written as it would be sent, else the text itself: 18 is a number, 1.10 and 007 are texts. */
function propertyValue(text: string): Json {
  try {
    const value = readStrictJson(text)
    return typeof value === 'string' || canonicalText(value) === text ? value : text
  } catch (error) {
    if (error instanceof JsonTextError) return text
    throw error
  }
}

function usage(takes: string, given: string): CommandError {
  return new CommandError(`${takes}; not ${JSON.stringify(given)}`, exitCode.usage)
}
