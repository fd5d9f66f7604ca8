import { ButtonLink, FailureError, Notice, PasswordField } from '@sealpost/ui'
import { Problem } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { useRead } from '../commands.ts'
import { href } from '../routes.ts'
import { useSessionWords } from '../words/index.ts'
import type { Proof } from '../worker/commands/proof.ts'
import { signByPasskey } from './passkey.ts'

export interface DeviceProof {
  /** What the person needs before the button: the place for the passcode, or the way to set this device up. */
  readonly field: ReactNode
  readonly isByPasskey: boolean
  /** False on a device that was not set up. */
  readonly canProve: boolean
  /** Asks the person to unlock, and answers what shows that they did. */
  prove(text: string): Promise<Proof>
  /** After an attempt: a passcode is typed for each. */
  clear(): void
}

/** How the person confirms on this device that it is them. */
export function useProof(): DeviceProof {
  const words = useSessionWords().shell.proof
  const read = useRead('readConfirmation', 'devices')
  const [passcode, setPasscode] = useState('')
  const confirmation = read.state === 'ready' ? read.value : undefined
  return {
    field: fieldOf(),
    isByPasskey: confirmation?.kind === 'passkey',
    canProve: confirmation !== null && read.state !== 'failed',
    async prove(text) {
      if (confirmation?.kind === 'passcode') return { passcode }
      if (confirmation?.kind !== 'passkey') throw new FailureError({ kind: 'own', key: 'device_not_set_up' })
      return { passkey: await signByPasskey(confirmation, text) }
    },
    clear: () => setPasscode(''),
  }

  function fieldOf(): ReactNode {
    if (read.state === 'failed') return <Problem failure={read.failure} onAgain={read.again} />
    if (confirmation === null) {
      const act = <ButtonLink href={href('unlockSetup')}>{words.setUp}</ButtonLink>
      return <Notice kind="wait" what={words.notSetUp} next={words.notSetUpNext} act={act} />
    }
    if (confirmation?.kind !== 'passcode') return null
    return <PasswordField label={words.passcode} autoComplete="off" value={passcode} onValue={setPasscode} />
  }
}
