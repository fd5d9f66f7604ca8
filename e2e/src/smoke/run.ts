import { type InstallationOptions, startDemoVerifier, startInstallation } from '@sealpost/testkit'
import { checkAccess } from './access.ts'
import { CHALLENGE_SECONDS, checkApprovals } from './approvals.ts'
import type { Checks } from './checks.ts'
import { checkContracts } from './contracts.ts'
import { checkDeletion, type HiringRun } from './deletion.ts'
import { checkDelivery } from './delivery.ts'
import { checkFlows } from './flows.ts'
import { checkOutage, checkRevocation } from './operation.ts'
import { checkRunContracts } from './run-contracts.ts'
import { openSeals } from './seals.ts'
import { checkParting, checkSharing } from './sharing.ts'

/** Which app runs the code of which checkout. */
export interface Arrangement {
  readonly name: string
  readonly roots: NonNullable<InstallationOptions['roots']>
}

const MANY_LOGINS = { RATE_LOGIN_IP: '600', RATE_LOGIN_ACCOUNT: '600' }
/** The clinic's endpoint is on this machine. */
const LOCAL_TARGETS = { ALLOW_PRIVATE_TARGETS: '1' }

/** Starts an installation, or ends the process with the reason; runs all checks; one that throws has failed. */
export async function runSmoke(checks: Checks, { roots }: Partial<Arrangement> = {}): Promise<void> {
  const verifier = await startDemoVerifier()
  const seals = await openSeals()
  try {
    const installation = await startInstallation({
      settings: {
        STRICT_CONTRACT: '1',
        LOG_LEVEL: 'warn',
        VERIFIERS: verifier.setting,
        ...MANY_LOGINS,
        ...LOCAL_TARGETS,
        ...CHALLENGE_SECONDS,
      },
      adjust: seals.adjust,
      ...(roots === undefined ? {} : { roots }),
      onStep: (step) => console.log(`      ${step}`),
    }).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error)
      process.exit(1)
    })
    try {
      await checkAccess(checks, installation)
      await checkRevocation(checks, installation)
      const sharing = await checkSharing(checks, installation, verifier)
      let hired: HiringRun | null = null
      // An earlier release beside this one may not have these yet.
      if (roots === undefined) {
        await checkContracts(sharing, installation, seals.pki)
        await checkApprovals(sharing, installation)
        await checkFlows(sharing, installation)
        hired = await checkRunContracts(sharing, installation, seals.pki)
      }
      await checkDelivery(sharing)
      await checkOutage(checks, installation)
      await checkParting(sharing, installation)
      if (hired !== null) await checkDeletion(checks, installation, hired, seals.pki)
    } catch (error) {
      checks.check(`no check throws: ${String(error)}`, false)
      for (const app of [installation.frontDoor, installation.eu, installation.us]) console.log(app.name, app.tail())
    } finally {
      await installation.stop()
    }
  } finally {
    await verifier.close()
    await seals.close()
  }
}
