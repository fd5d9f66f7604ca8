import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { useUiWords } from '../words/ui-words.ts'
import { CopyButton } from './copy-button.tsx'
import classes from './code.module.css'

export interface SecretOnceProps {
  /** What it is: “Client secret”. */
  readonly label: string
  readonly secret: string
  /** Shown in groups of so many characters, which can be compared. */
  readonly groupOf?: number
  /** Places of groups that are covered, so that they can be asked for. */
  readonly covered?: readonly number[]
  readonly isMasked?: boolean
  readonly onCopied?: () => void
}

/** A secret that is never shown again. A page says so above it, and asks whether it was stored. */
export function SecretOnce(props: SecretOnceProps): ReactNode {
  const { label, secret, groupOf = 0, covered = [], isMasked = false, onCopied } = props
  const words = useUiWords().desk
  const [isShown, setShown] = useState(!isMasked)
  return (
    <div className={classes.secret} role="group" aria-label={label}>
      {groupOf > 0 ? (
        <ol className={classes.groups}>
          {groupsOf(secret, groupOf).map((group, at) => (
            <li key={at}>
              {isShown && !covered.includes(at) ? (
                <code>{group}</code>
              ) : (
                <span className={classes.cover} role="img" aria-label={words.covered} />
              )}
            </li>
          ))}
        </ol>
      ) : (
        <code className={classes.line}>{isShown ? secret : '•'.repeat(24)}</code>
      )}
      <div className={classes.acts}>
        <CopyButton text={secret} label={label} {...(onCopied === undefined ? {} : { onCopied })} />
        {isMasked ? (
          <Button
            icon={isShown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? words.hide : words.show}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

/** The last one may be shorter. */
export function groupsOf(secret: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(secret.length / size) }, (_group, at) =>
    secret.slice(at * size, (at + 1) * size),
  )
}
