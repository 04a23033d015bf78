import { declarableKinds } from '../kinds/index.ts'
import type { JsonObject } from '../model/json/json.ts'
import { profiles } from '../model/profile.ts'
import { evaluationReasons } from '../targeting/index.ts'
import { comparisonSchema } from './comparison-schema.ts'
import { doctorSchema } from './doctor-schema.ts'
import { documentHead, documentSchema } from './document-head.ts'
import { faultMembers, faultSchema } from './failure-schema.ts'
import { liveEditSchema } from './live-edit-schema.ts'
import { references } from './references-schema.ts'
import { retirement } from './retirement-schema.ts'
import { stale } from './stale-schema.ts'
import { testsDocumentSchema } from './tests-document-schema.ts'

const text: JsonObject = { type: 'string' }
const texts: JsonObject = { type: 'array', items: text }

/** The schemas of what `--json` prints and nothing reads back, by name. */
export function printedSchemas(): Readonly<Record<string, JsonObject>> {
  return {
    validation: documentSchema('validation', {
      ...{ title: 'Vexil validation', description: 'The problems of every file.' },
      required: ['format_version', 'exit_code', 'files', 'problems', 'errors'],
      properties: {
        ...documentHead,
        files: { ...texts, description: 'The files that were read.' },
        problems: { type: 'array', items: problem },
        errors: { type: 'array', description: 'Those that are errors.', items: faultSchema },
        objects: {
          type: 'array',
          description: 'With --show: objects as they are declared for one environment.',
          items: shownObject,
        },
      },
    }),
    doctor: doctorSchema(),
    comparison: comparisonSchema(),
    sandbox: documentSchema('sandbox', {
      ...{ title: 'Vexil sandbox', description: 'Where a stand-in listens and what opens it.' },
      required: ['base_url', 'api_key', 'organization', 'project', 'project_token', 'roles'],
      properties: {
        base_url: text,
        api_key: text,
        organization: text,
        project: { type: 'integer' },
        project_token: { ...text, description: 'What SDKs send.' },
        roles: {
          type: 'array',
          items: { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } },
        },
      },
    }),
    evaluation: documentSchema('evaluation', {
      ...{ title: 'Vexil evaluation', description: 'What somebody gets of the declared flags.' },
      required: ['format_version', 'exit_code', 'flags', 'errors'],
      properties: {
        ...documentHead,
        flags: { type: 'array', items: evaluatedFlag },
        errors: { type: 'array', items: faultSchema },
      },
    }),
    tests: testsDocumentSchema({ answer, others, source }),
    call: documentSchema('call', {
      ...{ title: 'Vexil call', description: 'What the service answered to one operation.' },
      required: ['format_version', 'exit_code', 'operation', 'status', 'body'],
      properties: {
        ...documentHead,
        operation: { ...text, description: 'As in feature_flag.read.' },
        status: { type: 'integer', description: 'Of HTTP; of a list that was followed to its end, 200.' },
        body: {
          description: 'The answer as it came; with --all, every row. null: it has no body, or no JSON.',
        },
        text: { ...text, description: 'An answer that is no JSON.' },
      },
    }),
    operations: documentSchema('operations', {
      ...{ title: 'Vexil operations', description: 'What can be called: `vexil call` without a name.' },
      required: ['format_version', 'exit_code', 'operations'],
      properties: { ...documentHead, operations: { type: 'array', items: operation } },
    }),
    export: documentSchema('export', {
      ...{
        title: 'Vexil export',
        description: 'Live objects with all that a declaration could say of them.',
      },
      required: ['format_version', 'exit_code', 'objects'],
      properties: { ...documentHead, objects: { type: 'array', items: exported } },
    }),
    edit: documentSchema('edit', {
      ...{ title: 'Vexil edit', description: 'What was changed in files of declarations.' },
      required: ['format_version', 'exit_code', 'dry_run', 'files', 'objects', 'notes', 'errors'],
      properties: {
        ...documentHead,
        dry_run: { type: 'boolean', description: 'Whether nothing was written.' },
        files: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'diff'],
            properties: {
              path: text,
              diff: {
                ...text,
                description: 'As `diff -u` writes it; where something is hidden, each line is `(sensitive)`.',
              },
              removed: { const: true, description: 'The file goes, since nothing is left in it.' },
            },
          },
        },
        objects: { type: 'array', items: editedObject },
        ramp: rampedCondition,
        retire: retirement,
        live_edits: {
          type: 'array',
          items: liveEditSchema,
          description: 'Of `pull`: what was changed in the product and is declared so now.',
        },
        left_out: {
          type: 'array',
          items: {
            type: 'object',
            required: ['address', 'reason'],
            properties: { address: text, reason: text },
          },
          description: 'Of `pull`: what no edit of a file can say.',
        },
        notes: texts,
        errors: { type: 'array', items: faultSchema },
      },
      $defs: { source },
    }),
    references: documentSchema('references', {
      ...{ title: 'Vexil references', description: 'Where code names the declared flags.' },
      required: [
        ...[
          'format_version',
          'exit_code',
          'flags',
          'undeclared',
          'searched',
          'unsearched',
          'notes',
          'errors',
        ],
      ],
      properties: { ...documentHead, ...references, errors: { type: 'array', items: faultSchema } },
    }),
    stale: documentSchema('stale', {
      ...{ title: 'Vexil stale', description: 'Declared flags that have outlived their use.' },
      required: [...['format_version', 'exit_code'], ...Object.keys(stale), 'errors'],
      properties: { ...documentHead, ...stale, errors: { type: 'array', items: faultSchema } },
    }),
    quirks: documentSchema('quirks', {
      ...{ title: 'Vexil quirks', description: 'Every behaviour that a sandbox can be told.' },
      required: ['format_version', 'exit_code', 'quirks'],
      properties: { ...documentHead, quirks: { type: 'array', items: quirk } },
    }),
    unlock: documentSchema('unlock', {
      ...{ title: 'Vexil unlock', description: 'What became of a lock.' },
      required: ['format_version', 'exit_code', 'removed'],
      properties: { ...documentHead, removed: removedLock },
    }),
    installation: documentSchema('installation', {
      ...{ title: 'Vexil installation', description: "Where Terraform's provider was put." },
      required: [...['format_version', 'exit_code'], ...Object.keys(installation)],
      properties: { ...documentHead, ...installation },
    }),
    init: documentSchema('init', {
      ...{ title: 'Vexil init', description: 'What a repository was started with.' },
      required: ['format_version', 'exit_code', 'directory', 'files', 'next'],
      properties: {
        ...documentHead,
        directory: text,
        files: { type: 'array', items: startedFile },
        next: { ...text, description: 'What to run next.' },
      },
    }),
  }
}

const editedObject: JsonObject = {
  type: 'object',
  required: ['address', 'environment', 'written'],
  properties: {
    address: text,
    environment: { type: ['string', 'null'], description: 'null: the repository has none.' },
    written: {
      enum: ['environment', 'shared', 'nothing', 'removed'],
      description:
        'Where it is said now: for the environment, or for all; nothing: it was said already; removed: it is declared no more.',
    },
  },
}

const ramped: JsonObject = {
  address: text,
  environment: { type: ['string', 'null'] },
  condition: { ...text, description: 'Its name, or its number, from 1.' },
  before: { type: 'number' },
  after: { type: 'number' },
  to: { type: 'number' },
  steps_left: { type: 'integer', minimum: 0, description: 'How many more steps the limits ask for.' },
}

const rampedCondition: JsonObject = {
  type: 'object',
  description: 'The step of a rollout, in percent: of `ramp`.',
  required: Object.keys(ramped),
  properties: ramped,
}

const problem: JsonObject = {
  type: 'object',
  required: ['code', 'severity', 'message'],
  properties: {
    ...faultMembers,
    severity: { enum: ['error', 'warning'] },
    conditional: {
      const: true,
      description: 'A warning that a plan turns into an error, unless the live object is like this already.',
    },
  },
}

const source: JsonObject = {
  type: 'object',
  required: ['file', 'line', 'column'],
  properties: { file: text, line: { type: 'integer' }, column: { type: 'integer' } },
}

const shownObject: JsonObject = {
  type: 'object',
  required: ['address', 'kind', 'section', 'name', 'source', 'value', 'leaves'],
  properties: {
    address: text,
    kind: { enum: declarableKinds.map(({ name }) => name) },
    section: { ...text, description: 'The section of the file, in which it goes by `name`.' },
    name: text,
    environment: text,
    source,
    value: { type: 'object', description: 'As it is written, with the overrides of the environment.' },
    leaves: {
      type: 'array',
      description: 'Each single value, and where it stands.',
      items: {
        type: 'object',
        required: ['pointer', 'value', 'source', 'by'],
        properties: {
          pointer: {
            ...text,
            description:
              'A JSON pointer into the value; what an audience says stands below the place of its name.',
          },
          value: { description: 'What comes out of the environment is shown as its reference.' },
          source,
          by: { enum: ['declaration', 'override', 'default', 'audience'] },
          audience: { ...text, description: 'The audience that says it.' },
        },
      },
    },
  },
}

const textOrNull: JsonObject = { type: ['string', 'null'] }

const answer: JsonObject = {
  value: {
    type: ['boolean', 'string', 'null'],
    description: 'false, true or the key of the variant; null where it is undecided.',
  },
  variant: { ...textOrNull, description: 'The key of the variant.' },
  payload: { description: 'What code receives beside it; null: none.' },
  reason: { enum: [...evaluationReasons] },
  condition: {
    type: ['object', 'null'],
    description: 'The condition that matched or came nearest.',
    required: ['number', 'summary'],
    properties: { number: { type: 'integer', minimum: 1 }, summary: text },
  },
  undecided: { ...textOrNull, description: 'Why no value can be told.' },
}

const others: JsonObject = {
  type: 'array',
  description: 'Those who do not say the same.',
  items: {
    type: 'object',
    required: ['by'],
    properties: { by: text, value: { type: ['boolean', 'string'] }, undecided: text },
  },
}

const evaluatedFlag: JsonObject = {
  type: 'object',
  required: ['flag', 'verdict', ...Object.keys(answer), 'by', 'others'],
  properties: {
    flag: text,
    verdict: {
      enum: ['decided', 'differs', 'undecided'],
      description:
        'differs: those who evaluate give different values. undecided: it depends on what is not known here.',
    },
    ...answer,
    by: { ...text, description: 'Who gives the value.' },
    others,
    live: {
      type: 'object',
      description: 'What the live flag gives, with --live.',
      required: ['is'],
      properties: { is: { enum: ['same', 'differs', 'not_known', 'missing'] }, ...answer },
    },
  },
}

const operation: JsonObject = {
  type: 'object',
  required: ['operation', 'method', 'path', 'required', 'optional', 'takes_body', 'doc'],
  properties: {
    operation: text,
    method: text,
    path: text,
    required: { ...texts, description: 'Arguments of the path that no setting has.' },
    optional: { ...texts, description: 'Arguments of the query.' },
    takes_body: { type: 'boolean' },
    doc: text,
  },
}

const quirk: JsonObject = {
  type: 'object',
  required: ['name', 'doc', 'takes', 'profiles', 'sources', 'certainty'],
  properties: {
    name: text,
    doc: text,
    takes: {
      description: 'The values that it takes.',
      oneOf: [{ const: 'number' }, { type: 'array', items: { type: ['string', 'boolean'] } }],
    },
    profiles: {
      type: 'object',
      description: 'What each profile does.',
      required: [...profiles],
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
    sources: { ...texts, description: 'Sections of the pages in docs.' },
    certainty: {
      enum: ['high', 'medium', 'low'],
      description: 'How sure it is that the newest profile does so.',
    },
  },
}

const removedLock: JsonObject = {
  type: ['object', 'null'],
  description: 'The lock that was removed. null: none was held.',
  required: ['lock'],
  properties: {
    lock: text,
    owner: { ...text, description: 'Whose it was, in words; absent where it did not say.' },
  },
}

const installation = {
  provider: { ...text, description: 'As configurations name it.' },
  version: text,
  platform: { ...text, description: 'As Terraform writes it, such as linux_amd64.' },
  checksum: { ...text, pattern: '^h1:', description: 'What .terraform.lock.hcl has of it.' },
  directory: { ...text, description: 'The plugin folder.' },
  folders: {
    type: 'array',
    items: {
      type: 'object',
      required: ['source', 'path', 'state'],
      properties: {
        source: { ...text, description: 'The address with its registry.' },
        path: text,
        state: {
          enum: ['wrote', 'kept', 'replaced'],
          description: 'kept: the same was there; replaced: another of the same version was.',
        },
      },
    },
  },
  next: { ...text, description: 'What to run next.' },
} satisfies JsonObject

const startedFile: JsonObject = {
  type: 'object',
  required: ['path', 'state'],
  properties: {
    path: text,
    state: { enum: ['wrote', 'kept'], description: 'kept: it was there, and is as it was.' },
  },
}

const exported: JsonObject = {
  type: 'object',
  required: ['kind', 'identity', 'id', 'fields'],
  properties: {
    environment: { ...text, description: 'Where it is live, where several environments are exported.' },
    kind: { enum: declarableKinds.map(({ name }) => name) },
    identity: text,
    id: text,
    fields: { type: 'object', description: 'The managed fields as they were read, without the identity.' },
    grants: {
      type: 'array',
      description: 'The roles that hold a grant on it; left out where the service has none or nobody asked.',
      items: { type: 'object', required: ['id'], properties: { id: text, name: text } },
    },
    files: { type: 'object', description: 'Source files, by name.', additionalProperties: text },
  },
}
