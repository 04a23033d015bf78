import type { Problem } from '../../model/problem.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { pointerOf } from '../../model/text/pointer.ts'
import { isVersionRange, notMeasured } from '../../services/sdk-versions.ts'
import type { ParsedYaml } from '../read/parse-yaml.ts'

export { sdkVersions } from '../../services/sdk-versions.ts'

/** Versions of SDKs that cannot be read, and those with unknown evaluation rules. */
export function checkSdks(parsed: ParsedYaml, value: JsonObject): Problem[] {
  const environments = isJsonObject(value.environments) ? value.environments : {}
  const layers = [
    ['', value] as const,
    ...Object.keys(environments).map(name => [pointerOf('environments', name), environments[name]] as const),
  ]
  return layers.flatMap(([pointer, layer]) => {
    const sdks = isJsonObject(layer) && isJsonObject(layer.sdks) ? layer.sdks : {}
    return Object.entries<Json>(sdks).flatMap(([name, version]): Problem[] => {
      const source = parsed.locate(pointer + pointerOf('sdks', name))
      if (typeof version !== 'string' || !isVersionRange(version)) {
        const message = `${JSON.stringify(version)} is not a version of ${name}`
        return [
          {
            code: 'sdk-version',
            severity: 'error',
            message,
            hint: 'write a version such as 1.5.2, or a range such as >=7.79',
            source,
          },
        ]
      }
      const message = notMeasured(name, version)
      if (message === undefined) return []
      const hint = 'Vexil does not know how these versions evaluate flags; see docs/who-evaluates.md'
      return [{ code: 'sdk-not-measured', severity: 'warning', message, hint, source }]
    })
  })
}
