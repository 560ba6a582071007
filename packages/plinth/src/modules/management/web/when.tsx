import { useFormats } from '@plinth/web'

/** How long ago; the exact time for those who point at it. */
export const When = ({ iso }: { readonly iso: string | null | undefined }) => {
  const formats = useFormats()
  if (!iso) return '–'
  return (
    <time dateTime={iso} title={formats.dateTime(iso)}>
      {formats.ago(iso)}
    </time>
  )
}
