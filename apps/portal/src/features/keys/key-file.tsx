import { Notice, Quiet } from '@sealpost/ui'
import { DeskSection } from '@sealpost/ui/desk'
import { saveFile } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import { keyFileName } from './key-file-name.ts'
import { PassphraseForm } from './passphrase-form.tsx'

/** The encrypted key file of a service, for programs. It is made in this browser. */
export function KeyFile({ serviceId, name }: { readonly serviceId: string; readonly name: string }): ReactNode {
  const words = useWords().serviceKey.keyFile
  return (
    <DeskSection title={words.title}>
      <Quiet>{words.lead}</Quiet>
      <PassphraseForm
        act={words.save}
        busy={words.busy}
        onPassphrase={async (passphrase) =>
          saveFile(keyFileName(name), 'application/x-pem-file', await call('exportKeyFile', { serviceId, passphrase }))
        }
        done={<Notice what={words.saved(keyFileName(name))} next={words.savedNext} />}
      />
    </DeskSection>
  )
}
