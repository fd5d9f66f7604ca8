import { Button, Form, Quiet, TextField } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { useWords } from '../../../words/index.ts'
import classes from './course.module.css'

/** Two covered groups, typed from where the passphrase was stored: what was never read back is not stored. */
export function Proof({
  groups,
  asked,
  act,
  busy,
  onProven,
  children,
}: {
  readonly groups: readonly string[]
  /** Places, counted from 0. */
  readonly asked: readonly number[]
  readonly act: string
  readonly busy: string | null
  readonly onProven: () => Promise<void>
  readonly children?: ReactNode
}): ReactNode {
  const words = useWords().newService.proof
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({})
  const [isTried, setTried] = useState(false)
  const isRight = (at: number): boolean => (typed[at] ?? '').trim() === groups[at]
  return (
    <Form
      onSend={async () => {
        setTried(true)
        if (asked.every(isRight)) await onProven()
      }}
    >
      <h2>{words.title}</h2>
      <Quiet>{words.lead(asked.map((at) => at + 1))}</Quiet>
      <div className={classes.proof}>
        {asked.map((at) => (
          <TextField
            key={at}
            label={words.group(at + 1)}
            problem={isTried && !isRight(at) ? words.wrong : undefined}
            isMono
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed[at] ?? ''}
            onValue={(text) => setTyped({ ...typed, [at]: text })}
          />
        ))}
      </div>
      {children}
      <div>
        <Button type="submit" look="main" busy={busy}>
          {act}
        </Button>
      </div>
    </Form>
  )
}
