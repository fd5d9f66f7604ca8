import { join } from 'node:path'
import { askOthers, openFolder, runTool, type TestPki } from '@sealpost/pdf/testing'
import { bundledPrograms, type Installation, northwind } from '@sealpost/testkit'
import { COMPUTED, HIRED, LINE } from '../flows/employment.ts'
import { openHiring } from '../flows/hiring.ts'
import { all } from '../sharing/parties.ts'
import type { HiringRun } from './deletion.ts'
import type { Sharing } from './sharing.ts'

const SEALPOST = join(await bundledPrograms(), 'command/sealpost.js')

/** The clinic in eu hires a nurse of an agency in us: a run of five acts with two documents. */
export async function checkRunContracts(
  { checks, company }: Sharing,
  installation: Installation,
  pki: TestPki,
): Promise<HiringRun> {
  const hiring = await openHiring(installation, northwind)
  const { id, status } = await hiring.hire('de')
  checks.check('the agency answers the last step and makes two documents', status === 'awaiting_signature')
  for (const [place, [party, output, act]] of LINE.entries()) {
    await hiring.act(id, place)
    const { flows } = company.service
    const states = flows.signingSteps(await flows.get(id)).map(({ state }) => state)
    const isNext = states.lastIndexOf('done') === place && (states[place + 1] ?? 'open') === 'open'
    checks.check(`step ${place + 1} of the signing line: ${party}, ${act}, ${output}`, isNext)
  }
  const { status: ended } = await hiring.seen('employer', id, 'completed')
  checks.check('the last act completes the run', ended === 'completed')
  for (const output of ['contract', 'annex'] as const) {
    const sealed = await hiring.open('employer', id, output)
    for (const party of ['employee', 'agency'] as const)
      await checks.await(`${output}: the sealed PDF arrives at the ${party}`, async () =>
        Buffer.from(await hiring.open(party, id, output)).equals(sealed),
      )
    const path = openFolder().write(`${output}.pdf`, sealed)
    const { output: text } = await runTool('pdftotext', '-layout', path, '-')
    const wanted =
      output === 'contract' ? [HIRED.name, COMPUTED.title, COMPUTED.monthly] : [HIRED.name, HIRED.reference]
    const isFilled = wanted.every((value) => text.includes(value)) && !text.includes('{{')
    checks.check(`${output}: it shows the values, and no tag`, isFilled)
    const others = await askOthers(sealed, pki.read('root.pem'))
    checks.check(`${output}: pdfsig, qpdf and openssl agree`, Object.values(others).every(Boolean))
    const verified = await runTool(process.execPath, SEALPOST, 'verify', path, '--trust', pki.path('root.pem'))
    checks.check(`${output}: sealpost verify says valid`, verified.code === 0)
  }
  const events = await all(company.service.changes.drain())
  const turns = events.flatMap((change) => (change.event === 'flow_run_turn' ? [change.awaiting_party] : []))
  const expected = ['employer', 'employee', 'agency', ...LINE.map(([party]) => party)]
  checks.check('its feed has every turn and every step', turns.join() === expected.join())
  return { hiring, id }
}
