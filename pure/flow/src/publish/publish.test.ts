import { readFileSync } from 'node:fs'
import { issueCatalog } from '@sealpost/protocol'
import { passes } from '@sealpost/testkit/vector-expectation'
import { publishCases, type PublishFile } from '@sealpost/testkit/vectors/flow'
import { describe, expect, test } from 'vitest'

const file: PublishVectors = JSON.parse(
  readFileSync(new URL('../../../../vectors/publish.json', import.meta.url), 'utf8'),
)
const cases = new Map(publishCases(file).map((one) => [one.name, one]))

interface PublishVectors extends PublishFile {
  readonly cases: readonly { readonly issues: readonly { readonly error_key: string }[] }[]
}

test('every finding of the catalog has a failing definition and its corrected twin', () => {
  const shown = file.cases.flatMap(({ issues }) => issues.map(({ error_key }) => error_key))
  expect(new Set(shown)).toEqual(new Set(Object.keys(issueCatalog)))
})

/** The vectors of each rule; each in its failing and its corrected form. */
const rules = [
  {
    rule: 'PUB-02',
    guarantee: 'a constant key outside the pattern',
    vectors: ['constant key with a hyphen', 'constant key longer than 64 characters'],
  },
  {
    rule: 'PUB-03',
    guarantee: 'a constant key that is taken',
    vectors: ['constant key is a slug', "constant key is another constant's"],
  },
  {
    rule: 'PUB-04',
    guarantee: 'a reference to nothing',
    vectors: [
      'constant reads what does not exist',
      'case of a constant looks at what does not exist',
      'constant reads a plugin value that the plugin does not give',
    ],
  },
  {
    rule: 'PUB-05',
    guarantee: 'constants in a cycle',
    vectors: ['two constants read each other', 'constant reads itself'],
  },
  {
    rule: 'PUB-06',
    guarantee: 'a constant used before it can be computed',
    vectors: [
      'edge condition uses a constant that is computable only later',
      'element is shown by a constant that is computable only later',
      'text shows a constant that is computable only later',
      'rule uses a constant of another branch',
    ],
  },
  {
    rule: 'PUB-07',
    guarantee: 'a constant shown on no step',
    vectors: ['constant is shown on a step that does not exist'],
  },
  {
    rule: 'PUB-08',
    guarantee: 'a constant shown before it can be computed',
    vectors: ['constant is shown before its answers are given', 'constant through a constant is shown too early'],
  },
  {
    rule: 'PUB-09',
    guarantee: 'a constant of another type than declared',
    vectors: ['inferred type is not the declared one', 'literal null'],
  },
  {
    rule: 'PUB-10',
    guarantee: 'operands of a wrong type',
    vectors: ['datediff of something that is no date', 'math with a text'],
  },
  {
    rule: 'PUB-11',
    guarantee: 'branches of different types, concat that is no text',
    vectors: ['branches of an if differ in type', 'concat declared as a date'],
  },
  {
    rule: 'PUB-12',
    guarantee: 'a wrong number of arguments',
    vectors: ['sub with three arguments', 'add with one argument', 'round with two arguments'],
  },
  {
    rule: 'PUB-13',
    guarantee: 'a constant nested above 64 levels; 64 pass',
    vectors: ['constant nested 65 levels deep; 64 pass'],
  },
  {
    rule: 'PUB-14',
    guarantee: 'a constant that nothing refers to',
    vectors: [
      'constant that nothing uses',
      'constant used by a default counts as used',
      'constant used by a bound counts as used',
      'constant used by a plugin input counts as used',
      'constant used by a condition counts as used',
      'constant used by a text counts as used',
      'constant used by another constant counts as used',
      'constant used by a template counts as used',
    ],
  },
  {
    rule: 'PUB-15',
    guarantee: 'a template tag that names nothing at its leaf',
    vectors: [
      'template tag names nothing',
      'template tag of another branch',
      'template tag of a constant of another branch',
      'template tag of a plugin value',
    ],
  },
  {
    rule: 'PUB-16',
    guarantee: 'a rule with no source or several',
    vectors: ['rule without a source', 'rule with two sources'],
  },
  {
    rule: 'PUB-17',
    guarantee: 'a source field that is no PDF',
    vectors: ['source field is another kind of file', 'source field does not exist'],
  },
  {
    rule: 'PUB-18',
    guarantee: 'a source connection of no typed customer',
    vectors: [
      'source connection of the owner',
      'source connection of an untyped party',
      'source connection of no party',
    ],
  },
  {
    rule: 'PUB-19',
    guarantee: 'a source connection whose request field does not fit',
    vectors: [
      'request field is for companies only',
      'request field is for persons only',
      'request field is another kind of file',
      'request field is no PDF',
      'request field does not exist',
    ],
  },
  {
    rule: 'PUB-20',
    guarantee: 'an element of an unknown kind',
    vectors: ['element of an unknown kind'],
  },
  {
    rule: 'PUB-23',
    guarantee: 'a required plugin input without wiring',
    vectors: ['required input is not wired'],
  },
  {
    rule: 'PUB-24',
    guarantee: 'a plugin input that is not answered by then',
    vectors: [
      'input reads a later step',
      'input reads what does not exist',
      'input reads a constant that is computable only later',
    ],
  },
  {
    rule: 'PUB-25',
    guarantee: 'a plugin input that does not convert',
    vectors: [
      'date input wired to a text',
      'number input wired to a date; a text input takes anything',
      'boolean input wired to a text',
      'plugin value of one plugin feeds another',
    ],
  },
  {
    rule: 'PUB-26',
    guarantee: 'a default or bound where none is allowed',
    vectors: ['default on a file', 'minimum on a field that must be verified', 'maximum on a multiselect'],
  },
  {
    rule: 'PUB-27',
    guarantee: 'a default of another type',
    vectors: ['text default on a number field', 'number default on a text field'],
  },
  {
    rule: 'PUB-28',
    guarantee: 'a bound of another type',
    vectors: ['minimum on a text field', 'date bound on a number field'],
  },
  {
    rule: 'PUB-29',
    guarantee: 'a default or bound that reads what is not answered',
    vectors: [
      'default reads a later step',
      'bound reads a key that does not exist',
      'default reads a constant that is computable only later',
      'default reads another branch',
    ],
  },
  {
    rule: 'PUB-30',
    guarantee: 'a default nested above 64 levels',
    vectors: ['default nested 65 levels deep; 64 pass'],
  },
  {
    rule: 'PUB-31',
    guarantee: 'a cycle through inputs, defaults, bounds and constants',
    vectors: [
      'two defaults read each other',
      'bound and constant form a cycle',
      'plugin input and default form a cycle',
      'minimum of one field and maximum of the other',
    ],
  },
  {
    rule: 'PUB-32',
    guarantee: 'a default on files, choices and fields that must be linked',
    vectors: [
      'default on a file',
      'default on a choice',
      'default on a choice whose type has the options',
      'default on a field that must be connected',
      'minimum on a field that must be verified',
    ],
  },
  {
    rule: 'PUB-33',
    guarantee: 'defaults and bounds on other kinds of field',
    vectors: ['default on a composite', 'minimum on a text field', 'bound on a composite'],
  },
  {
    rule: 'PUB-34',
    guarantee: 'a step that can be left by no certain edge',
    vectors: [
      'document step whose edges are all conditional',
      'data step whose edges are all conditional',
      'document step with outputs may end although its edges are conditional',
    ],
  },
]

describe('publishing finds', () => {
  for (const { rule, guarantee, vectors } of rules) {
    test(`${guarantee} [${rule}]`, async () => {
      for (const name of vectors.flatMap((one) => [`cases: ${one}`, `cases: ${one}, mended`])) await run(name)
    })
  }
})

async function run(name: string): Promise<void> {
  const one = cases.get(name)
  if (one === undefined) throw new Error(`there is no vector "${name}"`)
  await passes(one)
}
