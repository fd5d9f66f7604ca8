import { createCryptoPlatform, generateOneTimeKey, importOneTimeKey, sealOnce } from '@sealpost/crypto'
import { bodyOf, callsWith, dataUri, flowAuthor, logIn, northwind } from '@sealpost/testkit'
import { inParallel } from '../flows/plan.ts'
import { RUNS, type Site } from '../flows/site.ts'
import { templateOf, valuesOf } from './contract.ts'

const platform = createCryptoPlatform(globalThis)

/** Publishes a flow whose only step is the company's and makes the contract of this benchmark; answers its id. */
export async function publishContract({ installation }: Site): Promise<string> {
  const { email, login, serviceId } = northwind
  const { apiUrl, token } = await logIn(installation, { email, authVerifier: login.authVerifier })
  const author = flowAuthor({ portal: callsWith(apiUrl, token), serviceId })
  const draft = await author.create(undefined, 'Contract')
  const upload = { file: dataUri('application/pdf', templateOf()), original_name: 'contract.pdf' }
  const { asset_key: key } = await bodyOf(author.call('POST', `/${draft.flowId}/assets`, upload), 201)
  await author.publish(await author.save(draft, contractFlow(String(key))))
  return draft.flowId
}

function contractFlow(asset_key: string): object {
  const slugs = Object.keys(valuesOf())
  const signers = [{ party: 'customer', action: 'accept' }]
  return {
    entry: 'ask',
    output_mode: 'document',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
    ],
    nodes: [
      {
        key: 'ask',
        party: 'us',
        title: 'Contract',
        elements: slugs.map((slug) => ({ kind: 'field', slug, field_type: 'text', label: slug, required: false })),
        language_party: 'us',
        outputs: [
          {
            output_key: 'contract',
            name: 'Contract',
            rules: [{ asset_key, condition: null, languages: 'all', signers }],
          },
        ],
      },
    ],
    edges: [],
    constants: [],
  }
}

/** Runs whose answers are complete. */
export async function startContracts(site: Site, flowId: string, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  await inParallel(count, async (number) => {
    const { customer } = site.pairs[number % site.pairs.length] ?? {}
    const targets = { customer: { connection_id: customer?.connectionId } }
    const start = site.service('POST', `/api/company-data/flows/${flowId}/runs`, { body: { targets } })
    const id = String((await bodyOf(start, 201))['id'])
    await bodyOf(site.service('POST', `${RUNS}/${id}/answers`, { body: { answers: [], leaf: true } }))
    ids.push(id)
  })
  await site.delivered()
  return ids
}

/** Fills the contract of each, seals it to both parties and stores the copies in both regions. */
export async function generateContracts(site: Site, ids: readonly string[]): Promise<void> {
  // One after another: two are filled at a time, and those that find no place are refused.
  for (const id of ids) await bodyOf(site.service('POST', `${RUNS}/${id}/generate`, { body: await handOver() }))
  await site.delivered()
}

async function handOver(): Promise<object> {
  const otk = generateOneTimeKey(platform)
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) throw new Error('a one-time key cannot be used')
  const values = Uint8Array.from(Buffer.from(JSON.stringify(valuesOf())))
  return { otk: otk.reveal(), values: await sealOnce(platform, key.value, values) }
}
