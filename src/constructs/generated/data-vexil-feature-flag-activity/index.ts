// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface DataVexilFeatureFlagActivityConfig extends cdktf.TerraformMetaArguments {
  /**
  * The id of the object. Default: all objects.
  */
  readonly featureFlagId?: string;
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
* `vexil_feature_flag_activity`, described in examples/terraform/docs/data-sources/feature_flag_activity.md
*/
export class DataVexilFeatureFlagActivity extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_feature_flag_activity";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataVexilFeatureFlagActivity resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataVexilFeatureFlagActivity to import
  * @param importFromId The id of the existing DataVexilFeatureFlagActivity that should be imported. See examples/terraform/docs/data-sources/feature_flag_activity.md for the id to use
  * @param provider? Optional instance of the provider where the DataVexilFeatureFlagActivity to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil_feature_flag_activity", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil_feature_flag_activity`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataVexilFeatureFlagActivityConfig = {}
  */
  public constructor(scope: Construct, id: string, config: DataVexilFeatureFlagActivityConfig = {}) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil_feature_flag_activity',
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
    this._featureFlagId = config.featureFlagId;
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

  // feature_flag_id - computed: false, optional: true, required: false
  private _featureFlagId?: string;
  public get featureFlagId() {
    return this.getStringAttribute('feature_flag_id');
  }
  public set featureFlagId(value: string) {
    this._featureFlagId = value;
  }
  public resetFeatureFlagId() {
    this._featureFlagId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get featureFlagIdInput() {
    return this._featureFlagId;
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
      feature_flag_id: cdktf.stringToTerraform(this._featureFlagId),
      project_id: cdktf.stringToTerraform(this._projectId),
      query: cdktf.hashMapper(cdktf.stringToTerraform)(this._query),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      feature_flag_id: {
        value: cdktf.stringToHclTerraform(this._featureFlagId),
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
