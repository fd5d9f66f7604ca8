import { Button, Choices, Field, Form, PasswordField, Section, Quiet } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import { Narrow } from './narrow.tsx'

type Way = 'passphrase' | 'file'

/** Opens the key of a service in the worker. What is typed here goes nowhere else and is not kept. */
export function KeyLoader({ serviceId }: { readonly serviceId: string }): ReactNode {
  const words = useWords().serviceKey
  const [way, setWay] = useState<Way>('passphrase')
  const [passphrase, setPassphrase] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const open = async (): Promise<void> => {
    setTried(true)
    if (way === 'file' && file === null) return
    const isOpen = await act.run(async () => {
      if (way === 'passphrase' || file === null) await call('openByPassphrase', { serviceId, passphrase })
      else await call('openByKeyFile', { serviceId, passphrase, pem: await file.text() })
    })
    if (isOpen) setPassphrase('')
  }
  return (
    <Narrow>
      <Section title={words.title}>
        <Quiet>{words.lead}</Quiet>
        <Form onSend={open}>
          <Choices
            legend={words.way}
            value={way}
            onValue={(value) => setWay(value === 'file' ? 'file' : 'passphrase')}
            options={[
              { value: 'passphrase', label: words.ways.passphrase },
              { value: 'file', label: words.ways.file },
            ]}
          />
          {way === 'file' ? (
            <Field label={words.file} problem={isTried && file === null ? words.fileProblem : undefined}>
              {(ties) => (
                <input
                  {...ties}
                  type="file"
                  accept=".pem"
                  onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
                />
              )}
            </Field>
          ) : null}
          <PasswordField
            label={words.passphrase}
            hint={words.passphraseHint}
            autoComplete="off"
            value={passphrase}
            onValue={setPassphrase}
          />
          <Problem failure={act.failure} />
          <div>
            <Button type="submit" look="main" busy={act.isBusy ? words.busy : null}>
              {words.open}
            </Button>
          </div>
        </Form>
      </Section>
    </Narrow>
  )
}
