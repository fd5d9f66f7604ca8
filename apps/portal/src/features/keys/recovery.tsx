import { Notice, Quiet } from '@sealpost/ui'
import { DeskSection } from '@sealpost/ui/desk'
import type { ReactNode } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { KeyCopies } from '../../worker/commands/service-key.ts'
import { PassphraseForm } from './passphrase-form.tsx'
import { Recover } from './recover.tsx'

interface RecoveryProps {
  readonly serviceId: string
  readonly copies: KeyCopies
}

/** The copy of the passphrase that only the owner opens: made here, or opened. */
export function Recovery({ serviceId, copies }: RecoveryProps): ReactNode {
  const words = useWords().serviceKey.recovery
  const { recovery, needsPassword } = copies
  if (recovery !== null)
    return (
      <DeskSection title={words.getTitle}>
        <Quiet>{words.getLead}</Quiet>
        <Recover
          label={words.passphrase}
          groupOf={4}
          texts={words.ofPassphrase}
          onOpen={async (code, password) => {
            const opened = await call('recoverPassphrase', { serviceId, copyId: recovery.id, code, password })
            return opened.passphrase
          }}
        />
      </DeskSection>
    )
  return (
    <DeskSection title={words.keepTitle}>
      <Quiet>{words.keepLead}</Quiet>
      <PassphraseForm
        act={words.keep}
        busy={words.keeping}
        needsPassword={needsPassword}
        onPassphrase={(passphrase, password) => call('keepRecoveryCopy', { serviceId, passphrase, password })}
        done={<Notice what={words.keptNow} />}
      />
    </DeskSection>
  )
}
