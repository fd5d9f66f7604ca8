import type { ServiceId } from '@sealpost/kernel'
import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { bodyOf, type Calls, flowAuthor } from '@sealpost/testkit'

/** What the parties answer, and what the constants make of it. */
export const HIRED = { name: 'Mara Müller', position: 'Nurse', salary: 60_000, start: '2027-03-01', reference: 'A-17' }
export const COMPUTED = { monthly: '5000', title: 'Nurse from 2027-03-01' }

/** The request field that the flow copies a PDF from. */
export const SHARED_SLUG = 'payslip'

/** The signing line of the two documents. */
export const LINE = [
  ['employee', 'contract', 'sign'],
  ['employer', 'annex', 'sign'],
  ['agency', 'contract', 'accept'],
  ['employee', 'annex', 'accept'],
  ['employer', 'contract', 'sign'],
] as const

/** The PDF that the agency answers with, and the one that the employee shares with the service. Both are filled. */
export const POLICY = page('Versicherung {{reference}} für {{full_name}}', 'Unbekannt: [{{nothing}}]')
export const PAYSLIP = page('Payslip of {{full_name}}', 'Not known: [{{nothing}}]')

const GERMAN = page(
  'Arbeitsvertrag mit {{full_name}}',
  '{{title}}, {{monthly}} EUR im Monat',
  'Vermittlung: {{reference}}',
)
const ENGLISH = page('Contract with {{full_name}}', '{{title}}, {{monthly}} EUR a month', 'Agency: {{reference}}')

/** Every line in a text operation of its own, one character per byte. */
function page(...lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return templatePdf({ contents: [lines.map((line, at) => textAt(60, 760 - 30 * at, `(${line}) Tj`)).join('\n')] })
}

/** An author of the company writes and publishes the flow in the portal. */
export async function publishEmployment(serviceId: ServiceId, portal: Calls): Promise<string> {
  const author = flowAuthor({ serviceId, portal })
  const draft = await author.create(undefined, 'Employment')
  const upload = async (bytes: Uint8Array, original_name: string): Promise<string> => {
    const file = `data:application/pdf;base64,${Buffer.from(bytes).toString('base64')}`
    return String(
      (await bodyOf(author.call('POST', `/${draft.flowId}/assets`, { file, original_name }), 201))['asset_key'],
    )
  }
  const [german, english] = [await upload(GERMAN, 'vertrag.pdf'), await upload(ENGLISH, 'contract.pdf')]
  await author.publish(await author.save(draft, employment(german, english)))
  return draft.flowId
}

/** The employer offers, the employee answers, the agency adds a PDF of its own and makes the two documents. */
function employment(german: string, english: string) {
  return {
    entry: 'offer',
    output_mode: 'document',
    parties: [
      { key: 'employer', label: 'Northwind', type: 'owner' },
      { key: 'employee', label: 'Employee', type: 'person' },
      { key: 'agency', label: 'Agency', type: 'company' },
    ],
    nodes: [
      {
        key: 'offer',
        party: 'employer',
        title: 'Offer',
        elements: [field('position'), field('salary', 'number'), field('start', 'date')],
      },
      {
        key: 'about',
        party: 'employee',
        title: 'About you',
        elements: [{ kind: 'text', body: 'You are offered: {{title}}, {{monthly}} a month.' }, field('full_name')],
      },
      {
        key: 'placement',
        party: 'agency',
        title: 'Placement',
        elements: [field('reference'), field('policy', 'pdf_document')],
        language_party: 'employee',
        outputs: outputsOf(german, english),
      },
    ],
    edges: [
      { from: 'offer', to: 'about', sort: 0, condition: null },
      { from: 'about', to: 'placement', sort: 0, condition: null },
    ],
    constants: CONSTANTS,
  }
}

function outputsOf(german: string, english: string) {
  const contract = signers('employee sign', 'agency accept', 'employer sign')
  const annex = signers('employer sign', 'employee accept')
  return [
    {
      output_key: 'contract',
      name: 'Employment contract',
      rules: [
        { asset_key: german, condition: null, languages: ['de'], signers: contract },
        { asset_key: english, condition: null, languages: 'all', signers: contract },
      ],
    },
    {
      output_key: 'annex',
      name: 'Annex',
      rules: [
        { source_field: 'policy', condition: OVER_A_THOUSAND, languages: ['de'], signers: annex },
        {
          source_connection: { party: 'employee', request_slug: SHARED_SLUG },
          condition: OVER_A_THOUSAND,
          languages: 'all',
          signers: annex,
        },
      ],
    },
  ]
}

const OVER_A_THOUSAND = { field: 'monthly', op: 'gt', value: 1000 }

const CONSTANTS = [
  {
    key: 'monthly',
    label: 'A month',
    result_type: 'number',
    expr: { type: 'math', op: 'div', args: [ref('salary'), { type: 'lit', value_type: 'number', value: 12 }] },
    shown_on: ['about'],
  },
  {
    key: 'title',
    label: 'Title',
    result_type: 'text',
    expr: { type: 'concat', parts: [ref('position'), ref('start')], sep: ' from ' },
    shown_on: [],
  },
]

function ref(key: string) {
  return { type: 'ref', key }
}

function field(slug: string, field_type = 'text') {
  return { kind: 'field', slug, field_type, label: slug, required: true }
}

function signers(...steps: readonly `${string} ${'sign' | 'accept'}`[]) {
  return steps.map((step) => {
    const [party = '', action = ''] = step.split(' ')
    return { party, action }
  })
}
