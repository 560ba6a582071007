// The endpoints of files, as the compiler knows them from the definition of a resource.

import type { ResourceDefinition } from '../../core/model/define.ts'
import type { SentOf, ShownOf } from '../../core/model/schema-of.ts'
import type { Shape } from '../../core/model/value-field.ts'
import type { ContentBody, DeclaredEndpoint, WithoutBody } from '../../core/rest/endpoint.ts'
import type { downloadQuery } from './endpoints.ts'
import type { oneUpload, severalUploads } from './receive-uploads.ts'
import type { fileList } from './serve.ts'
import type { ShownFile } from './stored-file.ts'

type OwnFilesEndpoint<N extends string> =
  | DeclaredEndpoint<
      'POST',
      `/api/rest/${N}/{pk}/files`,
      `upload${Capitalize<N>}Files`,
      object,
      ContentBody,
      { readonly 200: typeof fileList }
    >
  | DeclaredEndpoint<
      'GET',
      `/api/rest/${N}/{pk}/files`,
      `list${Capitalize<N>}Files`,
      object,
      WithoutBody,
      { readonly 200: typeof fileList }
    >
  | DeclaredEndpoint<
      'DELETE',
      `/api/rest/${N}/{pk}/files/{name}`,
      `delete${Capitalize<N>}File`,
      object,
      WithoutBody,
      { readonly 204: string }
    >

type Download<N extends string> = DeclaredEndpoint<
  'GET',
  `/api/rest/${N}/{pk}/files/{name}`,
  `read${Capitalize<N>}File`,
  typeof downloadQuery,
  WithoutBody,
  object
>

type UploadForFields<N extends string, Fields> = DeclaredEndpoint<
  'POST',
  `/api/rest/${N}/files`,
  `upload${Capitalize<N>}`,
  object,
  ContentBody,
  { readonly 201: Shape<Fields & Shape['fields']> }
>

/** What the answer has for a field: nothing unless it is one of files that callers may write. */
type UploadOf<F> = [SentOf<F>] extends [never]
  ? never
  : [NonNullable<ShownOf<F>>] extends [never]
    ? never
    : unknown extends ShownOf<F>
      ? never
      : NonNullable<ShownOf<F>> extends ShownFile
        ? typeof oneUpload
        : NonNullable<ShownOf<F>> extends readonly ShownFile[]
          ? typeof severalUploads
          : never

type UploadFields<Fields> = {
  readonly [K in keyof Fields as [UploadOf<Fields[K]>] extends [never] ? never : K]: UploadOf<Fields[K]>
}

type ForFields<N extends string, Fields> = keyof Fields extends never ? never : UploadForFields<N, Fields> | Download<N>

type HasOwnFiles<D> = D extends { readonly files?: infer F } ? ([NonNullable<F>] extends [never] ? false : true) : false

/** The endpoints of the files of a resource. */
export type FileEndpoint<D extends ResourceDefinition> = D extends unknown
  ?
      | (HasOwnFiles<D> extends true ? OwnFilesEndpoint<D['name']> | Download<D['name']> : never)
      | ForFields<D['name'], UploadFields<D['fields']>>
  : never
