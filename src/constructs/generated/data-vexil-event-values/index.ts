// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface DataVexilEventValuesConfig extends cdktf.TerraformMetaArguments {
  /**
  * The format of the answer. One of "csv", "json".
  */
  readonly format?: 'csv' | 'json' | cdktf.IResolvable;
  /**
  * The project. Default: the provider's project.
  */
  readonly projectId?: string;
  /**
  * More query parameters that the service accepts but the document does not list.
  */
  readonly query?: { [key: string]: string };
}

/**
* `vexil_event_values`, described in examples/terraform/docs/data-sources/event_values.md
*/
export class DataVexilEventValues extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_event_values";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataVexilEventValues resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataVexilEventValues to import
  * @param importFromId The id of the existing DataVexilEventValues that should be imported. See examples/terraform/docs/data-sources/event_values.md for the id to use
  * @param provider? Optional instance of the provider where the DataVexilEventValues to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil_event_values", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil_event_values`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataVexilEventValuesConfig = {}
  */
  public constructor(scope: Construct, id: string, config: DataVexilEventValuesConfig = {}) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil_event_values',
      terraformGeneratorMetadata: {
        providerName: 'vexil',
        providerVersionConstraint: '~> 0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    registerConstruct(this);
    this._format = config.format;
    this._projectId = config.projectId;
    this._query = config.query;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // body - computed: true, optional: false, required: false
  public get body() {
    return this.getStringAttribute('body');
  }

  // format - computed: false, optional: true, required: false
  private _format?: string | cdktf.IResolvable;
  public get format(): 'csv' | 'json' {
    return this.getStringAttribute('format') as 'csv' | 'json';
  }
  public set format(value: string | cdktf.IResolvable) {
    this._format = value;
  }
  public resetFormat() {
    this._format = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get formatInput() {
    return this._format;
  }

  // project_id - computed: false, optional: true, required: false
  private _projectId?: string;
  public get projectId() {
    return this.getStringAttribute('project_id');
  }
  public set projectId(value: string) {
    this._projectId = value;
  }
  public resetProjectId() {
    this._projectId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectIdInput() {
    return this._projectId;
  }

  // query - computed: false, optional: true, required: false
  private _query?: { [key: string]: string };
  public get query() {
    return this.getStringMapAttribute('query');
  }
  public set query(value: { [key: string]: string }) {
    this._query = value;
  }
  public resetQuery() {
    this._query = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get queryInput() {
    return this._query;
  }

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      format: cdktf.stringToTerraform(this._format),
      project_id: cdktf.stringToTerraform(this._projectId),
      query: cdktf.hashMapper(cdktf.stringToTerraform)(this._query),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      format: {
        value: cdktf.stringToHclTerraform(this._format),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      query: {
        value: cdktf.hashMapperHcl(cdktf.stringToHclTerraform)(this._query),
        isBlock: false,
        type: "map",
        storageClassType: "stringMap",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
