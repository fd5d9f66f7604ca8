import { isSealValid, openPdf, openSealer, type Pdf, sealAdvice } from '@sealpost/pdf'
import { type EngineCheck, knownState } from '@sealpost/process'
import type { Platform } from './module.ts'

/** The seal of this installation; null without a certificate. */
export function openSeal(platform: Platform): Pdf | null {
  const { settings, egress, clock, random, log } = platform
  const advice = sealAdvice(settings, clock)
  if (advice !== null) log.warn({}, advice)
  return openSealer(settings, {
    egress,
    clock,
    random,
    onRevocationProblem: (problem) => log.warn({ problem }, 'a revocation list for the seal could not be fetched'),
    pool: { onSandbox: (layers) => warnOfBareReader(platform, layers) },
  })
}

/** Reads PDFs, also where nothing is sealed. Its processes start with the first file. */
export function openReader(platform: Platform): Pdf {
  return openPdf({ pool: { onSandbox: (layers) => warnOfBareReader(platform, layers) } })
}

/** A certificate that expires while the process runs; one that is missing is the operator's choice. */
export function sealCheck({ settings, clock }: Platform): readonly EngineCheck[] {
  if (settings.SEAL_CERT === '') return []
  return [knownState('seal', () => isSealValid(settings, clock), 'the certificate is not valid at this time')]
}

function warnOfBareReader({ log }: Platform, layers: readonly string[]): void {
  if (layers.length > 0) return
  log.warn(
    {},
    'the processes that read PDFs can read the settings of this process: allow user namespaces (unshare of util-linux), or start as root',
  )
}
