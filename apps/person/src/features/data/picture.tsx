import { type ReactNode, useEffect, useState } from 'react'

/** A picture that exists on this device only. */
export function Picture({
  bytes,
  mimeType,
  about,
  className,
  onDrawn = () => {},
}: {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly mimeType: string
  readonly about: string
  readonly className?: string | undefined
  /** False when the browser cannot draw it. */
  readonly onDrawn?: (isDrawn: boolean) => void
}): ReactNode {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, mimeType])
  if (url === undefined) return null
  return <img className={className} src={url} alt={about} onLoad={() => onDrawn(true)} onError={() => onDrawn(false)} />
}
