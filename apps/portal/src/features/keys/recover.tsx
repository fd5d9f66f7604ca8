import { Button, Buttons, DigitsField, Form, Notice, PasswordField } from '@sealpost/ui'
import { SecretOnce } from '@sealpost/ui/desk'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import { Narrow } from './narrow.tsx'

interface RecoverProps {
  /** What it is: “Passphrase of the service”. */
  readonly label: string
  readonly groupOf?: number
  readonly texts: { readonly shown: string; readonly shownNext: string; readonly open: string }
  /** Answers the secret, opened in the worker. */
  readonly onOpen: (code: string, password: string) => Promise<string>
}

/** A secret from its recovery copy: by the code of a mail and the password of the account. */
export function Recover({ label, groupOf = 0, texts, onOpen }: RecoverProps): ReactNode {
  const words = useWords().serviceKey.recovery
  const [isMailed, setMailed] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const act = useAct()
  const mail = async (): Promise<void> => {
    if (await act.run(() => call('requestRecoveryCode'))) setMailed(true)
  }
  if (secret !== null)
    return (
      <>
        <Notice kind="wait" what={texts.shown} next={texts.shownNext} />
        <SecretOnce label={label} secret={secret} groupOf={groupOf} />
        <div>
          <Button onClick={() => setSecret(null)}>{words.stored}</Button>
        </div>
      </>
    )
  return (
    <>
      <Problem failure={act.failure} />
      {isMailed ? (
        <ByCode act={texts.open} onMail={mail} onOpen={async (...proof) => setSecret(await onOpen(...proof))} />
      ) : (
        <div>
          <Button busy={act.isBusy ? words.mailing : null} onClick={() => void mail()}>
            {words.mail}
          </Button>
        </div>
      )}
    </>
  )
}

function ByCode({
  act,
  onMail,
  onOpen,
}: {
  readonly act: string
  readonly onMail: () => Promise<void>
  readonly onOpen: (code: string, password: string) => Promise<void>
}): ReactNode {
  const { serviceKey } = useWords()
  const words = serviceKey.recovery
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const acting = useAct()
  return (
    <Narrow>
      <Form onSend={async () => void (await acting.run(() => onOpen(code, password)))}>
        <DigitsField label={words.code} hint={words.codeHint} value={code} onValue={setCode} />
        <PasswordField
          label={serviceKey.password}
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
        />
        <Problem failure={acting.failure} />
        <Buttons>
          <Button type="submit" busy={acting.isBusy ? words.opening : null}>
            {act}
          </Button>
          <Button look="bare" onClick={() => void onMail()}>
            {words.again}
          </Button>
        </Buttons>
      </Form>
    </Narrow>
  )
}
