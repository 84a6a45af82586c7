import type { Databases } from '../file/databases.js';
import { checkedJson, valueIn } from './checked-json.js';

interface MerchantRow {
  kind: 'merchants';
  keyId: string;
  merchants: string[];
}

/**
 * Which merchants a key opens: one row for each key, as `checked-json.ts` writes it. What is damaged counts as missing: the
 * service is asked once more.
 */
export class MerchantRows {
  constructor(private readonly rows: Databases['merchants']) {}

  put(keyId: string, merchants: readonly string[]): void {
    const row: MerchantRow = { kind: 'merchants', keyId, merchants: [...merchants] };
    this.rows.putSync(keyId, checkedJson(row));
  }

  of(keyId: string): string[] | undefined {
    const row = valueIn<Partial<MerchantRow>>(this.rows.get(keyId) ?? '');
    return row?.kind === 'merchants' && row.keyId === keyId ? row.merchants : undefined;
  }
}
