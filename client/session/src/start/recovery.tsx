import { Button, Buttons, Form, Quiet, TextField } from '@sealpost/ui'
import { saveFile } from '@sealpost/web-app'
import { Copy, Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSessionWords } from '../words/index.ts'
import classes from './start.module.css'

/** Shows the code once, and has it tried: a code that was never read back is no code. */
export function Recovery({
  code,
  email,
  onDone,
}: {
  readonly code: string
  readonly email: string
  readonly onDone: () => void
}): ReactNode {
  const [isKept, setKept] = useState(false)
  return isKept ? (
    <TryRecovery code={code} onLook={() => setKept(false)} onDone={onDone} />
  ) : (
    <ShowRecovery code={code} email={email} onKept={() => setKept(true)} />
  )
}

function ShowRecovery({
  code,
  email,
  onKept,
}: {
  readonly code: string
  readonly email: string
  readonly onKept: () => void
}): ReactNode {
  const words = useSessionWords().start.recovery
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(code)
    setCopied(true)
  }
  return (
    <>
      <ol className={classes.code} aria-label={words.code} translate="no">
        {code.split('-').map((group, at) => (
          <li key={at}>{group}</li>
        ))}
      </ol>
      <Buttons>
        <Button
          icon={<Download size={18} aria-hidden />}
          onClick={() => saveFile(words.fileName, 'text/plain', words.file(email, code))}
        >
          {words.save}
        </Button>
        <Button icon={<Copy size={18} aria-hidden />} onClick={() => void copy()}>
          {isCopied ? words.copied : words.copy}
        </Button>
      </Buttons>
      <Quiet>{words.after}</Quiet>
      <Button look="main" onClick={onKept}>
        {words.kept}
      </Button>
    </>
  )
}

function TryRecovery({
  code,
  onLook,
  onDone,
}: {
  readonly code: string
  readonly onLook: () => void
  readonly onDone: () => void
}): ReactNode {
  const words = useSessionWords().start.recovery
  const groups = code.split('-')
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const [isTried, setTried] = useState(false)
  const problemOf = (isRight: boolean): string | undefined => (isTried && !isRight ? words.wrong : undefined)
  const isFirstRight = isGroup(first, groups[0])
  const isLastRight = isGroup(last, groups.at(-1))
  const typing = { isMono: true, autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false } as const
  return (
    <Form
      onSend={() => {
        setTried(true)
        if (isFirstRight && isLastRight) onDone()
      }}
    >
      <h2>{words.tryTitle}</h2>
      <Quiet>{words.tryLead}</Quiet>
      <TextField {...typing} label={words.first} value={first} onValue={setFirst} problem={problemOf(isFirstRight)} />
      <TextField {...typing} label={words.last} value={last} onValue={setLast} problem={problemOf(isLastRight)} />
      <Buttons isStacked>
        <Button type="submit" look="main">
          {words.done}
        </Button>
        <Button look="bare" onClick={onLook}>
          {words.look}
        </Button>
      </Buttons>
    </Form>
  )
}

function isGroup(typed: string, group = ''): boolean {
  return typed.trim().toUpperCase() === group
}
