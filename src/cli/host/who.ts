import type { Who } from '../../core/record/run.ts'
import { readGitUser } from '../../git/run.ts'
import type { Host } from './host.ts'

/**
 * Who starts a run, for its record. The first of these that says anything:
 *
 * | from                                                      | of                                    |
 * |-----------------------------------------------------------|---------------------------------------|
 * | GITHUB_TRIGGERING_ACTOR, GITHUB_ACTOR                     | GitHub Actions                        |
 * | GITLAB_USER_LOGIN                                         | GitLab CI                             |
 * | BUILDKITE_BUILD_CREATOR_EMAIL, BUILDKITE_BUILD_CREATOR    | Buildkite                             |
 * | BUILD_REQUESTEDFOREMAIL                                   | Azure Pipelines                       |
 * | CIRCLE_USERNAME                                           | CircleCI                              |
 * | BITBUCKET_STEP_TRIGGERER_UUID                             | Bitbucket Pipelines                   |
 * | BUILD_USER_ID                                             | Jenkins (build user vars)             |
 * | `user.name` and `user.email` of git                       | a person at a machine                 |
 * | the user of the operating system                          |                                       |
 */
export async function whoRuns({ env, userName }: Host, directory: string): Promise<Who | undefined> {
  const variable = actorVariables.find(name => env[name])
  if (variable !== undefined) return { name: env[variable] ?? '', from: variable }
  const name = await readGitUser({ directory, env })
  if (name !== undefined) return { name, from: 'git' }
  return userName === undefined ? undefined : { name: userName, from: 'system' }
}

const actorVariables = [
  // Who ran it again, where that was somebody else.
  'GITHUB_TRIGGERING_ACTOR',
  'GITHUB_ACTOR',
  'GITLAB_USER_LOGIN',
  'BUILDKITE_BUILD_CREATOR_EMAIL',
  'BUILDKITE_BUILD_CREATOR',
  'BUILD_REQUESTEDFOREMAIL',
  'CIRCLE_USERNAME',
  'BITBUCKET_STEP_TRIGGERER_UUID',
  'BUILD_USER_ID',
] as const
